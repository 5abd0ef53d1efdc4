#include "explorer/machine/action.hpp"

namespace lockwood::explorer {

const char* to_string(ActionKind kind) {
  switch (kind) {
    case ActionKind::Read: return "read";
    case ActionKind::Write: return "write";
    case ActionKind::Acquire: return "acquire";
    case ActionKind::Reacquire: return "reacquire";
    case ActionKind::Release: return "release";
    case ActionKind::Wait: return "wait";
    case ActionKind::UnheldWait: return "wait without the lock";
    case ActionKind::Notify: return "notify";
    case ActionKind::NotifyAll: return "notify all";
    case ActionKind::UnheldNotify: return "notify without the lock";
    case ActionKind::UnheldNotifyAll: return "notify all without the lock";
    case ActionKind::Start: return "start";
    case ActionKind::Join: return "join";
    case ActionKind::Choice: return "choice";
    case ActionKind::Pause: return "pause";
  }
  assert(false);
  return "";
}

}  // namespace lockwood::explorer
