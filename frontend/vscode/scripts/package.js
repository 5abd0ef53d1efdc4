"use strict";
// Packs the extension: a .vsix is a zip archive with a manifest. Needs nothing but Node.js.
//   node scripts/package.js [FILE]

const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

const root = path.join(__dirname, "..");
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const target = process.argv[2] || path.join(root, `${manifest.name}-${manifest.version}.vsix`);
const shipped = ["package.json", "README.md", "language-configuration.json", "extension.js", "connection.js",
                 "syntaxes/lockwood.tmLanguage.json", "syntaxes/dpn.tmLanguage.json"];

const crcs = Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; ++bit) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte >>> 0;
});
const crc = (data) => (data.reduce((sum, byte) => crcs[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

const escape = (text) => text.replace(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/><Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`;
const vsix = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}"/>
<DisplayName>${escape(manifest.displayName)}</DisplayName>
<Description xml:space="preserve">${escape(manifest.description)}</Description>
<Categories>${manifest.categories.join(",")}</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escape(manifest.engines.vscode)}"/></Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/></Assets>
</PackageManifest>
`;

const entries = [["extension.vsixmanifest", Buffer.from(vsix)], ["[Content_Types].xml", Buffer.from(types)],
                 ...shipped.map((name) => [`extension/${name}`, fs.readFileSync(path.join(root, name))])];

// Local headers with their data, then the directory, then its end (APPNOTE 4.3). The same bytes in every run: all
// entries are of the first day that the format knows.
const date = 0x21;
const parts = [];
const directory = [];
let offset = 0;
for (const [name, data] of entries) {
  const packed = zlib.deflateRawSync(data);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(0x800, 2);
  common.writeUInt16LE(8, 4);
  common.writeUInt16LE(date, 8);
  common.writeUInt32LE(crc(data), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(data.length, 18);
  common.writeUInt16LE(Buffer.byteLength(name), 22);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  parts.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed);
  directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, tail, Buffer.from(name));
  offset += 30 + Buffer.byteLength(name) + packed.length;
}
const listing = Buffer.concat(directory);
const end = Buffer.alloc(22);
end.write("PK\x05\x06", "latin1");
end.writeUInt16LE(entries.length, 8);
end.writeUInt16LE(entries.length, 10);
end.writeUInt32LE(listing.length, 12);
end.writeUInt32LE(offset, 16);
fs.writeFileSync(target, Buffer.concat([...parts, listing, end]));
console.log(`wrote ${target}`);
