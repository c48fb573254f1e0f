import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';

const SOURCE = resolve(import.meta.dirname, '../../src');
const IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'node:fs(?:\/promises)?'/g;
const OPENS = new Set(['open', 'openSync', 'openAsBlob', 'readFile', 'readFileSync', 'createReadStream']);

const KERNEL = 'reads files of the kernel, whose names nobody else chooses';
const CREATES = 'creates files under names of its own and never opens one that is there';

const OWN = 'opens files of its own in the state folder, which no command sees';

/** Everything else reads through state/foreign-file.ts or the SafeFileSystem. */
const ALLOWED: Readonly<Record<string, string>> = {
  'infrastructure/state/foreign-file.ts': 'is the reader itself',
  'infrastructure/file/locate/linux-locator.ts': 'is the SafeFileSystem: O_PATH first, regular files only',
  'infrastructure/file/locate/generic-locator.ts': 'is the SafeFileSystem where there is no O_PATH',
  'infrastructure/file/write/atomic-writer.ts': CREATES,
  'infrastructure/file/write/path-locks.ts': CREATES,
  'infrastructure/file/write/write-journal.ts': CREATES,
  'infrastructure/file/write/disk-flush.ts': 'opens folders that the SafeFileSystem holds',
  'infrastructure/state/atomic-file.ts': CREATES,
  'infrastructure/observability/audit-key.ts': CREATES,
  'infrastructure/observability/audit-segment.ts': CREATES,
  'infrastructure/observability/audit-archive.ts': CREATES,
  'infrastructure/observability/audit-head.ts':
    'creates its file, and writes one again that it has just read',
  'infrastructure/observability/file-audit-reader.ts': 'streams from a descriptor of the reader',
  'infrastructure/state/held-folder.ts': 'opens folders with O_PATH, and nothing in them',
  'infrastructure/state/process-identity.ts': KERNEL,
  'infrastructure/command/process/memory-watchdog.ts': KERNEL,
  'infrastructure/command/process/command-groups.ts':
    'reads and writes files of the kernel, and makes none: its tree is given by tests alone',
  'infrastructure/process/inherited-descriptors.ts': KERNEL,
  'infrastructure/command/network/own-ports.ts': KERNEL,
  'infrastructure/command/session/session-processes.ts': KERNEL,
  'infrastructure/command/launch/bubblewrap-diagnosis.ts': KERNEL,
  'infrastructure/command/launch/namespace-helper.ts': KERNEL,
  'infrastructure/command/sandbox/bubblewrap-host.ts': 'opens its own filter again',
  'infrastructure/command/launch/barrier-script.ts': CREATES,
  'infrastructure/system/random-id-source.ts': KERNEL,
  'infrastructure/approval/person-at-terminal.ts': 'opens /dev/tty alone',
  'infrastructure/command/session/command-session.ts': KERNEL,
  'infrastructure/command/session/masked-command.ts': KERNEL,
  'infrastructure/command/session/session-namespaces.ts': KERNEL,
  'infrastructure/command/session/session-view.ts': KERNEL,
  'infrastructure/command/mounts/mount-plan.ts': CREATES,
  'infrastructure/command/runner/command-folders.ts': 'opens folders, and nothing in them',
  'infrastructure/command/workspace/quarantine.ts': 'opens folders, and nothing in them',
  'infrastructure/command/workspace/change-tracker.ts': KERNEL,
  'infrastructure/command/mounts/open-descriptors.ts': KERNEL,
  'infrastructure/command/mounts/mount-verifier.ts': KERNEL,
  'infrastructure/command/workspace/open-up.ts': 'opens folders with O_PATH, and nothing in them',
  'infrastructure/command/git/carrier/sides/held-tree.ts':
    'is the reader of the carrier, which has a sandbox of its own: from held folders, regular files only, no links',
  'infrastructure/command/git/carrier/sides/file-steps.ts': CREATES,
  'infrastructure/command/git/carrier/sides/base-log.ts': OWN,
  'infrastructure/command/git/carrier/sides/held-locks.ts': OWN,
  'infrastructure/command/git/carrier/sides/kept-texts.ts': OWN,
  'infrastructure/command/git/carrier/config-carry.ts': OWN,
  'infrastructure/command/git/carrier/push/connectivity.ts': OWN,
  'infrastructure/command/git/carrier/push/index-push.ts': OWN,
  'infrastructure/command/git/restore/passed-commits.ts': OWN,
  'infrastructure/command/mounts/sandbox-folders.ts':
    'looks at entries of a sandbox with O_PATH, which opens nothing',
};

/** What a file imports from node:fs that opens something. */
function opened(code: string): readonly string[] {
  if (/import\s+\*\s+as\s+\w+\s+from\s+'node:fs|import\('node:fs|from\s+'fs'/.test(code)) return ['*'];
  const names = [...code.matchAll(IMPORT)].flatMap(([, list = '']) => list.split(','));
  return names.map((name) => name.trim().split(' ')[0] ?? '').filter((name) => OPENS.has(name));
}

describe('who opens files', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const openers = files.filter((file) => opened(readFileSync(join(SOURCE, file), 'utf8')).length > 0);

  it('opens what somebody else may have put there in one place', () => {
    expect(openers.filter((file) => !Object.hasOwn(ALLOWED, file))).to.deep.equal([]);
  });

  it('allows no file that does not need it', () => {
    expect(
      Object.keys(ALLOWED).filter((file) => files.includes(file) && !openers.includes(file)),
    ).to.deep.equal([]);
  });

  it('notices a reading of its own', () => {
    expect(opened("import { readFileSync } from 'node:fs';")).to.deep.equal(['readFileSync']);
    expect(opened("import {\n  mkdir,\n  readFile as read,\n} from 'node:fs/promises';")).to.deep.equal([
      'readFile',
    ]);
    expect(opened("const fs = await import('node:fs');")).to.deep.equal(['*']);
    expect(opened("import { statSync } from 'node:fs';")).to.deep.equal([]);
  });
});
