"use strict";
// Starts `lockwood lsp` and passes on between it and the editor.

const vscode = require("vscode");
const { Connection } = require("./connection");

const LANGUAGES = ["lockwood", "dpn"];
const PAGES = ["lockwood.showPage", "lockwood.showJavaPage"]; // commands that the server does
const JAVA = ["mainClass", "classPath", "sourcePath", "outputFolder", "compileCommand", "jdk", "arguments"];

let connection; // while the server runs
let diagnostics;
let output;
let lensesChanged;
let colours; // what colours words, as long as the server that said how
const tasks = new Map(); // what ends the progress that is shown, by token

const ours = (document) =>
  LANGUAGES.includes(document.languageId) || (document.languageId === "java" && setting("java.enabled"));
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

// A workspace that is not trusted has no say in settings, which could name any program. The manifest has the editor
// ignore such settings; here it is made sure.
function setting(name) {
  const settings = vscode.workspace.getConfiguration("lockwood");
  if (vscode.workspace.isTrusted) return settings.get(name);
  const { globalValue, defaultValue } = settings.inspect(name);
  return globalValue === undefined ? defaultValue : globalValue;
}

// What starts the server. Its lockwood.json does not count either if the workspace is not trusted.
function program() {
  const args = ["lsp", "--stdio", ...setting("arguments")];
  return { path: setting("path"), args: vscode.workspace.isTrusted ? args : [...args, "--config=none"] };
}

// What is set of Java programs; what is empty is left to the arguments of the server.
const javaSettings = () =>
  Object.fromEntries(JAVA.map((name) => [name, setting("java." + name)]).filter(([, value]) => value && value.length));

// Shows how far the server is with a Java program.
function progress({ token, value }) {
  if (value.kind === "begin")
    vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: value.title }, (shown) => {
      shown.report({ message: value.message });
      return new Promise((end) => tasks.set(token, { end, shown }));
    });
  const task = tasks.get(token);
  if (value.kind === "report" && task) task.shown.report({ message: value.message });
  if (value.kind === "end" && task) {
    tasks.delete(token);
    task.end();
  }
}

function action(told) {
  const shown = new vscode.CodeAction(told.title, vscode.CodeActionKind.QuickFix);
  if (told.command) shown.command = told.command;
  if (told.edit) shown.edit = workspaceEdit(told.edit);
  shown.isPreferred = Boolean(told.isPreferred);
  return shown;
}

function workspaceEdit(told) {
  const made = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(told.changes))
    for (const each of edits) made.replace(vscode.Uri.parse(uri), range(each.range), each.newText);
  return made;
}

// A lens that has nothing to show is a text and no link.
function lens(told) {
  const { title, command, arguments: values } = told.command;
  return new vscode.CodeLens(range(told.range), { title, command, arguments: values });
}

function folding(told) {
  return new vscode.FoldingRange(told.startLine, told.endLine,
                                 told.kind === "comment" ? vscode.FoldingRangeKind.Comment : undefined);
}

// The server tells its words for colours when it starts.
function colourBy({ legend }) {
  if (colours) colours.dispose();
  colours = vscode.languages.registerDocumentSemanticTokensProvider(LANGUAGES, {
    provideDocumentSemanticTokens: (document, token) =>
      ask("textDocument/semanticTokens/full", { textDocument: identifier(document) }, token,
          (told) => new vscode.SemanticTokens(new Uint32Array(told.data)))
  }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers));
}

async function start() {
  const { path, args } = program();
  const started = new Connection(path, args, {
    "textDocument/publishDiagnostics": (told) =>
      diagnostics.set(vscode.Uri.parse(told.uri), told.diagnostics.map(diagnostic)),
    "workspace/codeLens/refresh": () => lensesChanged.fire(),
    "window/logMessage": (told) => output.appendLine(told.message),
    "window/showMessage": (told) => vscode.window.showErrorMessage(`Lockwood: ${told.message}`),
    "window/showDocument": (told) => (vscode.env.openExternal(vscode.Uri.parse(told.uri)), { success: true }),
    "$/progress": progress,
    log: (text) => output.append(text)
  }, (reason) => {
    if (connection !== started) return; // it was asked to end
    connection = undefined;
    diagnostics.clear();
    endTasks();
    vscode.window.showErrorMessage(`Lockwood: ${reason}. See the settings lockwood.path and lockwood.arguments.`);
  });
  connection = started;
  try {
    const { capabilities } = await started.request("initialize", {
      processId: process.pid,
      rootUri: (vscode.workspace.workspaceFolders || []).map((folder) => folder.uri.toString())[0] || null,
      initializationOptions: { java: javaSettings(), maxDiagnostics: setting("maxDiagnostics") },
      capabilities: {
        workspace: { codeLens: { refreshSupport: true } },
        window: { workDoneProgress: true, showDocument: { support: true } }
      }
    });
    colourBy(capabilities.semanticTokensProvider);
  } catch (error) {
    return; // its end has been told
  }
  started.notify("initialized", {});
  vscode.workspace.textDocuments.forEach(open);
}

function endTasks() {
  for (const task of tasks.values()) task.end();
  tasks.clear();
}

async function stop() {
  const running = connection;
  connection = undefined;
  if (running) await running.shutdown();
  diagnostics.clear();
  endTasks();
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

// The same where a refusal is shown: the editor tells what is thrown.
async function askAloud(method, parameters, token, make) {
  if (!connection) return undefined;
  const answer = await connection.request(method, parameters, token);
  return answer === null ? undefined : make(answer);
}

const renaming = {
  prepareRename: async (document, place, token) => {
    const offered = await askAloud("textDocument/prepareRename", at(document, place), token,
      (told) => ({ range: range(told.range), placeholder: told.placeholder }));
    if (!offered) throw new Error("there is no name here");
    return offered;
  },
  provideRenameEdits: (document, place, newName, token) =>
    askAloud("textDocument/rename", { ...at(document, place), newName }, token, workspaceEdit)
};

// A page of findings. What is told of the findings may be gone by now.
const showPage = (command) => async (told) => {
  try {
    if (connection) await connection.request("workspace/executeCommand", { command, arguments: [told] });
  } catch (error) {
    vscode.window.showErrorMessage(`Lockwood: ${error.message}.`);
  }
};

function configured(event) {
  const changed = {};
  if (event.affectsConfiguration("lockwood.java")) changed.java = javaSettings();
  if (event.affectsConfiguration("lockwood.maxDiagnostics")) changed.maxDiagnostics = setting("maxDiagnostics");
  if (connection && Object.keys(changed).length > 0)
    connection.notify("workspace/didChangeConfiguration", { settings: { lockwood: changed } });
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
            (told) => told.map(lens))
    }),
    languages.registerDocumentHighlightProvider(LANGUAGES, {
      provideDocumentHighlights: (document, place, token) =>
        ask("textDocument/documentHighlight", at(document, place), token,
            (told) => told.map((each) => new vscode.DocumentHighlight(range(each.range), each.kind - 1)))
    }),
    languages.registerRenameProvider(LANGUAGES, renaming),
    languages.registerFoldingRangeProvider(LANGUAGES, {
      provideFoldingRanges: (document, context_, token) =>
        ask("textDocument/foldingRange", { textDocument: identifier(document) }, token, (told) => told.map(folding))
    }),
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (query, token) =>
        ask("workspace/symbol", { query }, token, (told) => told.map((each) => new vscode.SymbolInformation(
          each.name, each.kind - 1, each.containerName || "", location(each.location))))
    }),
    { dispose: () => colours && colours.dispose() },
    languages.registerCompletionItemProvider(LANGUAGES, {
      provideCompletionItems: (document, place, token) =>
        ask("textDocument/completion", at(document, place), token,
            (told) => told.map((each) => new vscode.CompletionItem(each.label, each.kind - 1)))
    }),
    languages.registerCodeActionsProvider([...LANGUAGES, "java"], {
      provideCodeActions: (document, where, context_, token) =>
        ask("textDocument/codeAction",
            { textDocument: identifier(document), range: { start: position(where.start), end: position(where.end) },
              context: { diagnostics: [] } },
            token, (told) => told.map(action))
    }),
    ...PAGES.map((command) => vscode.commands.registerCommand(command, showPage(command))),
    vscode.workspace.onDidChangeConfiguration(configured),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.commands.registerCommand("lockwood.restart", restart));
  await start();
}

module.exports = { activate, deactivate: stop };
