import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Conversation {
  readonly policy: string;
  readonly call: { readonly name: string; readonly arguments: Readonly<Record<string, string>> };
}

/** A start under a policy with a test, and a call. */
const START: Conversation = {
  policy: 'tests:\n  - { name: warm, tool: execute_command, args: { command: "ls | cat" }, expect: deny }\n',
  call: { name: 'echo', arguments: { message: 'warm' } },
};

/** A command in a sandbox. Where this machine has none, whatever came before its refusal is kept. */
const COMMAND: Conversation = {
  policy: 'extends: [builtin:workspace]\n',
  call: { name: 'execute_command', arguments: { command: 'git status' } },
};

/**
 * Runs the built command, and keeps what V8 compiled on the way: first of all that a start loads, then of the chunks
 * that a command needs besides. `runner` is the text that loads a bundle; `main` the bundle.
 */
export function warmCodeCache(runner: string, main: string): void {
  const said = converse(runner, main, START);
  if (!said.includes('Echo: warm')) throw new Error(`The built command does not answer:\n${said}`);
  converse(runner, main, COMMAND);
}

/** Answers with all that was said. What has a cache keeps it. */
function converse(runner: string, main: string, { policy, call }: Conversation): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-build-'));
  try {
    const script = join(folder, 'warm.cjs');
    const keep = `writeFileSync(madeBy(${JSON.stringify(main)}), thisNode()); for (const [file, script] of scripts) if (!existsSync(file + '.cache')) writeFileSync(file + '.cache', script.createCachedData());`;
    writeFileSync(
      script,
      `${runner}\nconst { existsSync, writeFileSync } = require('node:fs');\nload(${JSON.stringify(main)});\nprocess.on('exit', () => { ${keep} });\n`,
    );
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    spawnSync('git', ['init', '-q', workspace]);
    writeFileSync(join(folder, 'permissions.yaml'), policy);
    const { stdout, status, stderr } = spawnSync(process.execPath, [script], {
      input: messages(call)
        .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
        .join(''),
      encoding: 'utf8',
      env: {
        ...process.env,
        CASTELLAN_WORKSPACE: workspace,
        CASTELLAN_POLICY: join(folder, 'permissions.yaml'),
        XDG_STATE_HOME: folder,
      },
    });
    if (status !== 0) throw new Error(`The built command fails:\n${stdout}\n${stderr}`);
    return `${stdout}\n${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function messages(call: Conversation['call']): readonly object[] {
  const clientInfo = { name: 'build', version: '1' };
  return [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: call },
  ];
}
