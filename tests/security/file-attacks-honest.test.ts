import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { honestChanges, honestReads, layHonestProject } from '../support/honest-file-calls.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { allowing } from '../support/sample-workspace.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

describe('honest calls of the file tools, to the built server', () => {
  useInstead(ENVELOPES);
  let disk: TemporaryDisk;
  let server: SpawnedServer;
  let id = 0;

  before(async () => {
    disk = new TemporaryDisk();
    layHonestProject(disk.root);
    writeFileSync(join(disk.base, 'policy.yaml'), allowing('.'));
    server = new SpawnedServer(undefined, {
      CASTELLAN_WORKSPACE: disk.root,
      CASTELLAN_POLICY: join(disk.base, 'policy.yaml'),
      XDG_STATE_HOME: disk.state,
    });
    await server.initialize();
  });
  after(async () => {
    await server.kill();
    disk.dispose();
  });

  it('are at least 60', () => {
    expect(honestReads('').length + honestChanges.length).to.be.at.least(60);
  });

  it('S4-06: none is refused, and each says what it should', async () => {
    for (const [title, tool, args, says] of [...honestReads(disk.root), ...honestChanges]) {
      id += 1;
      const { result, error } = await server.callTool(id, tool, args);
      const content = JSON.stringify(result?.content ?? error);
      expect(result?.isError, `${title} (${tool}): ${content}`).to.equal(undefined);
      // A structured answer carries its JSON as text once more; its quotes are escaped there.
      const text =
        result?.structuredContent === undefined ? content : JSON.stringify(result.structuredContent);
      expect(text, `${title} (${tool})`).to.match(says);
      expect(text.replaceAll(JSON.stringify(args), ''), `${title}: relative paths`).not.to.include(
        `${disk.root}/`,
      );
    }
    expect(readFileSync(join(disk.root, 'src/run.ts'), 'utf8')).to.equal(
      'export function run() {\r\n  return 43;\r\n}\r\n',
    );
    expect(readFileSync(join(disk.root, 'wide.txt'))).to.deep.equal(
      Buffer.from('\ufeffbroad text\n', 'utf16le'),
    );
    expect(readFileSync(join(disk.root, 'windows.txt'))).to.deep.equal(
      Buffer.from([0x4e, 0x41, 0xef, 0x76, 0x65]),
    );
    expect(readFileSync(join(disk.root, 'node_modules/.pnpm/x/index.js'), 'utf8')).to.equal(
      'module.exports = 1;\n',
    );
  });
});
