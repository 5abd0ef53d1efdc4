"use strict";
// JSON-RPC with a language server that is a child process. Knows nothing of an editor.

const { spawn } = require("child_process");

class Connection {
  // `handlers`: by method, what to do with notifications and requests of the server; `ended(reason)` once it is gone.
  constructor(path, args, handlers, ended) {
    this.handlers = handlers;
    this.pending = new Map();
    this.last = 0;
    this.buffer = Buffer.alloc(0);
    this.gone = false;
    const end = (reason) => {
      if (this.gone) return;
      this.gone = true;
      for (const { reject } of this.pending.values()) reject(new Error(reason));
      this.pending.clear();
      ended(reason);
    };
    this.child = spawn(path, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.child.on("error", (error) => end(`${path} does not start: ${error.message}`));
    this.child.on("exit", (status, signal) => end(`${path} has ended (${signal || "status " + status})`));
    this.child.stdin.on("error", () => {}); // its end is told by "exit"
    this.child.stdout.on("data", (chunk) => this.receive(chunk));
    this.child.stderr.on("data", (chunk) => handlers.log && handlers.log(chunk.toString()));
  }

  send(message) {
    if (this.gone) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // `token`: of the editor, if the request can be cancelled.
  request(method, params, token) {
    if (this.gone) return Promise.resolve(null);
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
    this.send({ id, method, params });
    const listening = token && token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    return answer.finally(() => listening && listening.dispose());
  }

  receive(chunk) {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.buffer.toString("ascii", 0, end))[1]);
      const begin = end + 4;
      if (this.buffer.length < begin + length) return;
      const message = JSON.parse(this.buffer.toString("utf8", begin, begin + length));
      this.buffer = this.buffer.subarray(begin + length);
      this.take(message);
    }
  }

  take(message) {
    if (message.method !== undefined) {
      const handler = this.handlers[message.method];
      const result = handler && handler(message.params);
      if (message.id !== undefined) this.send({ id: message.id, result: result === undefined ? null : result });
      return;
    }
    const waiting = this.pending.get(message.id);
    if (!waiting) return;
    this.pending.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  async shutdown() {
    if (this.gone) return;
    await this.request("shutdown").catch(() => {});
    this.notify("exit");
  }
}

module.exports = { Connection };
