import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'warm' } } },
];

const POLICY =
  'tests:\n  - { name: warm, tool: execute_command, args: { command: "ls | cat" }, expect: deny }\n';

/**
 * Runs the built command once, through its handshake and a call under a policy with a test, and keeps what V8
 * compiled on the way. `runner` is the text that loads a bundle; `main` the bundle.
 */
export function warmCodeCache(runner: string, main: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-build-'));
  try {
    const script = join(folder, 'warm.cjs');
    const keep = `for (const [file, script] of scripts) writeFileSync(file + '.cache', script.createCachedData());`;
    writeFileSync(
      script,
      `${runner}\nconst { writeFileSync } = require('node:fs');\nload(${JSON.stringify(main)});\nprocess.on('exit', () => { ${keep} });\n`,
    );
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const policy = join(folder, 'permissions.yaml');
    writeFileSync(policy, POLICY);
    const { stdout, status, stderr } = spawnSync(process.execPath, [script], {
      input: MESSAGES.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
      encoding: 'utf8',
      env: {
        ...process.env,
        CASTELLAN_WORKSPACE: workspace,
        CASTELLAN_POLICY: policy,
        XDG_STATE_HOME: folder,
      },
    });
    if (status !== 0 || !stdout.includes('Echo: warm')) {
      throw new Error(`The built command does not answer:\n${stdout}\n${stderr}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
