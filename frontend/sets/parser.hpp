#pragma once

#include <string>

#include "frontend/sets/syntax.hpp"

namespace lockwood::sets {

// Reads a script. Throws InputError with all problems found, up to a limit; reading goes on after an error at the next
// line.
//
//     script      = { statement (";" | end of line) }
//     statement   = "load" TEXT | "let" NAME [ "(" NAME { "," NAME } ")" ] "=" expression
//                 | ("check" | "show" | "time" | "explain") expression | expression
//                 | "save" expression TEXT | ("dot" | "svg") "(" expression ")" TEXT | "vars"
//                 | "for" NAME "in" expression "{" script "}"
//                 | "table" "for" range { "," range } ":" expression { "," expression }
//     range       = NAME "in" expression
//     expression  = interval [ ("<=" | ">=" | "==" | "!=" | "<" | ">") interval ]
//     interval    = sum [ ".." sum ]
//     sum         = product { ("|" | "-") product }          product = factor { "&" factor }
//     factor      = "~" factor | "(" expression ")" | "init" | NAME | NUMBER | TEXT | "true" | "false"
//                 | "{" { SYMBOL [ "," ] } "}" | "automaton" TEXT | ("threads" | "depth") (">=" | ">") factor
//                 | "union" "(" range "," expression ")" | "thread" "(" "/" choice "/" ")"
//                 | ("post*" | "pre*") "(" expression { "," ("nolocks" | ("only" | "avoiding") factor) } ")"
//                 | NAME "(" [ argument { "," argument } ] ")"      argument = [ NAME "=" ] expression
//     choice      = { repetition } { "|" { repetition } }    repetition = symbol { "*" | "+" | "?" }
//     symbol      = SYMBOL | "." | [ "~" ] "{" { SYMBOL [ "," ] } "}" | "(" choice ")"
//
// A line may end wherever an expression is not complete, and go on with an operator. The parenthesis of a call follows
// its name without a blank.
[[nodiscard]] Script parse_script(std::string text, std::string file, std::uint32_t first_line = 1);

// Whether the text is the beginning of a script that only lacks its end: a bracket or a block is open, or an expression
// goes on.
[[nodiscard]] bool is_unfinished(std::string text);

}  // namespace lockwood::sets
