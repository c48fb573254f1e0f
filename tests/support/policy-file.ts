import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A policy on the disk, named and so trusted; in the folder of the test run, which is removed with it. */
export function policyFile(text: string): string {
  const folder = mkdtempSync(join(process.env.XDG_STATE_HOME ?? tmpdir(), '..', 'policy-'));
  const file = join(folder, 'permissions.yaml');
  writeFileSync(file, text);
  return file;
}
