#pragma once

// CUDD with its internals: either the original or the copy in libbrial, which gives its functions a prefix of their
// own. Its macros go wherever this header goes, so only zdd.cpp includes it.
#ifdef LOCKWOOD_CUDD_OF_BRIAL
#include <polybori/cudd/prefix_internal.h>  // first: from here on, the plain names mean the prefixed functions

#include <polybori/cudd/cudd.h>
#include <polybori/cudd/cuddInt.h>
#else
#include <cudd.h>
#include <cuddInt.h>
#endif
