"use strict";
// Starts `lockwood lsp` and passes on between it and the editor.

const vscode = require("vscode");
const { Connection } = require("./connection");

const LANGUAGES = ["lockwood", "dpn"];

let connection; // while the server runs
let diagnostics;
let output;
let lensesChanged;

const ours = (document) => LANGUAGES.includes(document.languageId);
const position = (place) => ({ line: place.line, character: place.character });
const range = (told) =>
  new vscode.Range(told.start.line, told.start.character, told.end.line, told.end.character);
const location = (told) => new vscode.Location(vscode.Uri.parse(told.uri), range(told.range));
const identifier = (document) => ({ uri: document.uri.toString() });
const at = (document, place) => ({ textDocument: identifier(document), position: position(place) });

// The protocol counts severities and kinds from 1, the editor from 0.
function diagnostic(told) {
  const shown = new vscode.Diagnostic(range(told.range), told.message, told.severity - 1);
  shown.source = told.source;
  shown.code = told.code;
  shown.relatedInformation = (told.relatedInformation || []).map(
    (each) => new vscode.DiagnosticRelatedInformation(location(each.location), each.message));
  return shown;
}

function symbol(told) {
  const shown = new vscode.DocumentSymbol(told.name, told.detail, told.kind - 1, range(told.range),
                                          range(told.selectionRange));
  shown.children = (told.children || []).map(symbol);
  return shown;
}

function open(document) {
  if (!ours(document) || !connection) return;
  connection.notify("textDocument/didOpen", {
    textDocument: {
      uri: document.uri.toString(), languageId: document.languageId, version: document.version,
      text: document.getText()
    }
  });
}

function change(event) {
  if (!ours(event.document) || !connection || event.contentChanges.length === 0) return;
  connection.notify("textDocument/didChange", {
    textDocument: { uri: event.document.uri.toString(), version: event.document.version },
    contentChanges: event.contentChanges.map((each) => ({
      range: { start: position(each.range.start), end: position(each.range.end) }, text: each.text
    }))
  });
}

// What starts the server. A workspace that is not trusted has no say in it: neither by its settings, which could name
// any program, nor by its lockwood.json. The manifest has the editor ignore such settings; here it is made sure.
function program() {
  const settings = vscode.workspace.getConfiguration("lockwood");
  if (vscode.workspace.isTrusted)
    return { path: settings.get("path"), args: ["lsp", "--stdio", ...settings.get("arguments")] };
  const own = (name) => {
    const { globalValue, defaultValue } = settings.inspect(name);
    return globalValue === undefined ? defaultValue : globalValue;
  };
  return { path: own("path"), args: ["lsp", "--stdio", ...own("arguments"), "--config=none"] };
}

async function start() {
  const { path, args } = program();
  const started = new Connection(path, args, {
    "textDocument/publishDiagnostics": (told) =>
      diagnostics.set(vscode.Uri.parse(told.uri), told.diagnostics.map(diagnostic)),
    "workspace/codeLens/refresh": () => lensesChanged.fire(),
    "window/logMessage": (told) => output.appendLine(told.message),
    log: (text) => output.append(text)
  }, (reason) => {
    if (connection !== started) return; // it was asked to end
    connection = undefined;
    diagnostics.clear();
    vscode.window.showErrorMessage(`Lockwood: ${reason}. See the settings lockwood.path and lockwood.arguments.`);
  });
  connection = started;
  try {
    await started.request("initialize", {
      processId: process.pid, rootUri: null, capabilities: { workspace: { codeLens: { refreshSupport: true } } }
    });
  } catch (error) {
    return; // its end has been told
  }
  started.notify("initialized", {});
  vscode.workspace.textDocuments.forEach(open);
}

async function stop() {
  const running = connection;
  connection = undefined;
  if (running) await running.shutdown();
  diagnostics.clear();
}

async function restart() {
  await stop();
  await start();
}

// The answer to a request, made something of the editor; nothing without a server, or if it was cancelled.
async function ask(method, parameters, token, make) {
  if (!connection) return undefined;
  try {
    const answer = await connection.request(method, parameters, token);
    return answer === null ? undefined : make(answer);
  } catch (error) {
    return undefined;
  }
}

async function activate(context) {
  diagnostics = vscode.languages.createDiagnosticCollection("lockwood");
  output = vscode.window.createOutputChannel("Lockwood");
  lensesChanged = new vscode.EventEmitter();
  const languages = vscode.languages;
  context.subscriptions.push(
    diagnostics, output, lensesChanged,
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(change),
    vscode.workspace.onDidSaveTextDocument((document) => ours(document) && connection &&
      connection.notify("textDocument/didSave", { textDocument: identifier(document) })),
    vscode.workspace.onDidCloseTextDocument((document) => ours(document) && connection &&
      connection.notify("textDocument/didClose", { textDocument: identifier(document) })),
    languages.registerHoverProvider(LANGUAGES, {
      provideHover: (document, place, token) => ask("textDocument/hover", at(document, place), token,
        (told) => new vscode.Hover(new vscode.MarkdownString(told.contents.value)))
    }),
    languages.registerDefinitionProvider(LANGUAGES, {
      provideDefinition: (document, place, token) =>
        ask("textDocument/definition", at(document, place), token, location)
    }),
    languages.registerReferenceProvider(LANGUAGES, {
      provideReferences: (document, place, context_, token) =>
        ask("textDocument/references", { ...at(document, place), context: context_ }, token,
            (told) => told.map(location))
    }),
    languages.registerDocumentSymbolProvider(LANGUAGES, {
      provideDocumentSymbols: (document, token) =>
        ask("textDocument/documentSymbol", { textDocument: identifier(document) }, token, (told) => told.map(symbol))
    }),
    languages.registerCodeLensProvider(LANGUAGES, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: (document, token) =>
        ask("textDocument/codeLens", { textDocument: identifier(document) }, token,
            (told) => told.map((each) => new vscode.CodeLens(range(each.range), each.command)))
    }),
    languages.registerCompletionItemProvider(LANGUAGES, {
      provideCompletionItems: (document, place, token) =>
        ask("textDocument/completion", at(document, place), token,
            (told) => told.map((each) => new vscode.CompletionItem(each.label, each.kind - 1)))
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.commands.registerCommand("lockwood.restart", restart));
  await start();
}

module.exports = { activate, deactivate: stop };
