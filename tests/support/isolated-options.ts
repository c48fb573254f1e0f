import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'mocha';

/** A workspace and a state folder of its own for the tests of one file, gone after them. */
export function isolatedOptions(environment: Readonly<Record<string, string>> = {}) {
  const workspace = mkdtempSync(join(tmpdir(), 'castellan-test-'));
  after(() => rmSync(workspace, { recursive: true, force: true }));
  return {
    workspace,
    environment: { HOME: join(workspace, 'home'), ...environment },
    logLevel: 'silent',
  } as const;
}
