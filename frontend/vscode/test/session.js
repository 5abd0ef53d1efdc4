"use strict";
// The extension in an editor that is only pretended, with the real server: LOCKWOOD is the program.

const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const path = require("path");

const handlers = {};
const providers = {};
const commands = {};
let shown = []; // diagnostics of the last publication
let errors = [];
const stages = []; // of work that progress was shown of
const pages = [];
const program = process.env.LOCKWOOD || "lockwood";
let settings = { path: program, arguments: ["--pause=10ms"] };
let own = {}; // what the user has set, without the workspace

const disposable = { dispose() {} };
const event = (name) => (handler) => ((handlers[name] = handler), disposable);
const provider = (name) => (_, object) => ((providers[name] = object), disposable);
const record = (...names) => class {
  constructor(...values) { names.forEach((name, i) => (this[name] = values[i])); }
};
const documents = [];
const vscode = {
  Range: record("startLine", "startCharacter", "endLine", "endCharacter"),
  Location: record("uri", "range"),
  Diagnostic: record("range", "message", "severity"),
  DiagnosticRelatedInformation: record("location", "message"),
  DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"),
  Hover: record("contents"),
  MarkdownString: record("value"),
  CodeLens: record("range", "command"),
  CompletionItem: record("label", "kind"),
  CodeAction: record("title", "kind"),
  DocumentHighlight: record("range", "kind"),
  FoldingRange: record("start", "end", "kind"),
  FoldingRangeKind: { Comment: 1 },
  SymbolInformation: record("name", "kind", "container", "location"),
  SemanticTokens: record("data"),
  SemanticTokensLegend: record("types", "modifiers"),
  CodeActionKind: { QuickFix: "quickfix" },
  WorkspaceEdit: class { constructor() { this.made = []; } replace(...edit) { this.made.push(edit); } },
  ProgressLocation: { Window: 10 },
  env: { openExternal: (uri) => pages.push(uri.toString()) },
  EventEmitter: class { constructor() { this.event = () => disposable; } fire() {} dispose() {} },
  Uri: { parse: (text) => ({ toString: () => text }) },
  window: {
    createOutputChannel: () => ({ append() {}, appendLine() {}, dispose() {} }),
    withProgress: (_, work) => work({ report: ({ message }) => stages.push(message) }).then(() => stages.push("end")),
    showErrorMessage: (text) => errors.push(text)
  },
  workspace: {
    textDocuments: documents,
    isTrusted: true,
    getConfiguration: () => ({
      get: (name) => settings[name],
      inspect: (name) => ({ defaultValue: { path: "lockwood", arguments: [] }[name], globalValue: own[name],
                            workspaceValue: settings[name] })
    }),
    workspaceFolders: undefined,
    onDidChangeConfiguration: event("configuration"),
    onDidGrantWorkspaceTrust: event("trust"),
    onDidOpenTextDocument: event("open"), onDidChangeTextDocument: event("change"),
    onDidSaveTextDocument: event("save"), onDidCloseTextDocument: event("close")
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (_, all) => (shown = all), clear: () => (shown = []), dispose() {} }),
    registerHoverProvider: provider("hover"), registerDefinitionProvider: provider("definition"),
    registerReferenceProvider: provider("references"), registerDocumentSymbolProvider: provider("symbols"),
    registerCodeLensProvider: provider("lenses"), registerCompletionItemProvider: provider("completion"),
    registerCodeActionsProvider: provider("actions"), registerDocumentHighlightProvider: provider("highlights"),
    registerRenameProvider: provider("renaming"), registerFoldingRangeProvider: provider("folds"),
    registerWorkspaceSymbolProvider: (object) => ((providers.everywhere = object), disposable),
    registerDocumentSemanticTokensProvider: (_, object, legend) =>
      ((providers.colours = { ...object, legend }), disposable)
  },
  commands: { registerCommand: (name, run) => ((commands[name] = run), disposable) }
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.join(__dirname, "..", "extension.js"));

const text = "var x;\nproc main() { spawn f(); x = 1; }\nproc f() { x = 2; }\n";
const document = { languageId: "lockwood", version: 1, uri: vscode.Uri.parse("file:///a.lw"), getText: () => text };

const javaText = `public class Shared {
  static int x;
  public static void main(String[] a) {
    new Thread(() -> x = 2).start();
    x = 1;
  }
}
`;

// A Java program in the folder: findings when it is opened, what can be done about them, progress.
async function javaSession(folder) {
  const file = path.join(folder, "Shared.java");
  fs.writeFileSync(file, javaText);
  const java = { languageId: "java", version: 1, uri: vscode.Uri.parse("file://" + file), getText: () => javaText };
  settings = { ...settings, "java.enabled": true, "java.mainClass": "Shared" };
  vscode.workspace.workspaceFolders = [{ uri: vscode.Uri.parse("file://" + folder) }];
  handlers.configuration({ affectsConfiguration: () => true });
  shown = [];
  handlers.open(java);
  await until(() => stages.includes("end"));
  assert.deepStrictEqual(shown.map((each) => `${each.code} ${each.range.startLine}`).sort(), ["race 3", "race 4"]);
  assert(stages.includes("looking for deadlocks"));
  const where = { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } };
  const [ignore, show] = await providers.actions.provideCodeActions(java, where);
  assert.strictEqual(ignore.edit.made[0][2], "    // lockwood: ignore race(x) -- say why\n");
  await commands[show.command.command](...show.command.arguments);
  await until(() => pages.length === 1);
  assert(fs.readFileSync(new URL(pages[0]), "utf8").includes("race on Shared.x"));
  handlers.close(java);
}

// What can be done with names and findings of a program.
async function findingsSession(place) {
  const marked = await providers.highlights.provideDocumentHighlights(document, place);
  assert.deepStrictEqual(marked.map((each) => each.kind), [2, 2, 2]); // written, as the editor counts
  assert.strictEqual((await providers.renaming.prepareRename(document, place)).placeholder, "x");
  const edit = await providers.renaming.provideRenameEdits(document, place, "y");
  assert.deepStrictEqual(edit.made.map(([, , by]) => by), ["y", "y", "y"]);
  await assert.rejects(providers.renaming.provideRenameEdits(document, place, "f"), /'f' is declared already/);
  await assert.rejects(providers.renaming.prepareRename(document, { line: 2, character: 9 }), /no name/);
  assert.deepStrictEqual(await providers.folds.provideFoldingRanges(document), []);
  assert.deepStrictEqual((await providers.everywhere.provideWorkspaceSymbols("MA")).map((each) => each.name), ["main"]);
  const { data } = await providers.colours.provideDocumentSemanticTokens(document);
  assert(data instanceof Uint32Array && data.length % 5 === 0);
  assert.strictEqual(providers.colours.legend.types[data[3]], "keyword");
  const where = { start: place, end: place };
  const titles = (await providers.actions.provideCodeActions(document, where)).map((each) => each.title);
  assert.deepStrictEqual(titles, ["Ignore the race on x in this line", "Show the schedule of the race on x as a page"]);
  const [lens] = await providers.lenses.provideCodeLenses(document);
  const before = pages.length;
  await commands[lens.command.command](...lens.command.arguments);
  await until(() => pages.length > before);
  assert(fs.readFileSync(new URL(pages.pop()), "utf8").includes("race on x"));
  await commands["lockwood.showPage"]({ uri: "file:///a.lw", rule: "race", subject: "nobody" });
  assert.match(errors.pop(), /not there any more/);
  settings = { ...settings, maxDiagnostics: 1 };
  handlers.configuration({ affectsConfiguration: (name) => name === "lockwood.maxDiagnostics" });
  await until(() => shown.length === 1 && shown[0].message.includes("2 more"));
  settings = { ...settings, maxDiagnostics: null };
  handlers.configuration({ affectsConfiguration: (name) => name === "lockwood.maxDiagnostics" });
  await until(() => shown.length === 2);
}

// Waits for it, however slow the machine is: whoever runs this test ends it if it never comes.
async function until(holds) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function session() {
  documents.push(document);
  await extension.activate({ subscriptions: [] });
  await until(() => shown.filter((each) => each.code === "race").length === 2);
  assert.strictEqual(shown[0].severity, 0);
  assert(shown.find((each) => each.code === "race").relatedInformation.length > 0);
  const place = { line: 2, character: 11 };
  assert.match((await providers.hover.provideHover(document, place)).contents.value, /shared variable `x`/);
  assert.strictEqual((await providers.definition.provideDefinition(document, place)).range.startLine, 0);
  assert.strictEqual((await providers.references.provideReferences(document, place, {})).length, 3);
  assert.deepStrictEqual((await providers.symbols.provideDocumentSymbols(document)).map((each) => each.name),
                         ["x", "main", "f"]);
  assert.deepStrictEqual((await providers.lenses.provideCodeLenses(document)).map((each) => each.command.title),
                         ["races: 1", "races: 1", "races: 1"]);
  assert((await providers.completion.provideCompletionItems(document, place)).some((each) => each.label === "sync"));
  await findingsSession(place);
  document.version = 2;
  handlers.change({
    document,
    contentChanges: [{ range: { start: { line: 2, character: 11 }, end: { line: 2, character: 12 } }, text: "y" }]
  });
  await until(() => shown.some((each) => each.message.startsWith("unknown name 'y'")));
  if (process.env.JAVA_FOLDER) await javaSession(process.env.JAVA_FOLDER);
  document.version = 1;
  await commands["lockwood.restart"](); // opens what the editor has open
  await until(() => shown.some((each) => each.code === "race"));
  await extension.deactivate();
  assert.deepStrictEqual(errors, []);
  settings = { path: "/absent/lockwood", arguments: [] };
  await commands["lockwood.restart"]();
  await until(() => errors.length === 1);
  assert.match(errors[0], /does not start/);

  // A workspace that is not trusted would start another program; it is not asked.
  const evil = "/absent/evil";
  settings = { path: evil, arguments: ["--config=evil.json"] };
  own = { path: program, arguments: ["--pause=10ms"] };
  vscode.workspace.isTrusted = false;
  errors = [];
  shown = [];
  await commands["lockwood.restart"]();
  await until(() => shown.some((each) => each.code === "race"));
  assert.deepStrictEqual(errors, []);
  vscode.workspace.isTrusted = true; // and now it is
  await handlers.trust();
  await until(() => errors.length === 1);
  assert(errors[0].includes(evil));
}

session().then(() => console.log("ok"), (error) => {
  console.error(error);
  process.exit(1);
});
