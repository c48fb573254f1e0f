import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { CommandReply } from './command-client.js';
import { eventually } from './eventually.js';
import { HttpClient } from './http-client.js';
import { MAIN } from './spawned-server.js';

/** One built server over HTTP whose callers each have a key, so that each is somebody else. */
export class HttpCommandServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static principals(keys: readonly string[]): string {
    const lines = keys.map((key) => {
      const hash = createHash('sha256').update(key).digest('hex');
      return `  - { match: { api_key: "sha256:${hash}" }, roles: [default] }`;
    });
    return `principals:\n${lines.join('\n')}\n`;
  }

  static async start(
    { workspace, state }: { readonly workspace: string; readonly state: string },
    policy: string,
    env: NodeJS.ProcessEnv = {},
    uid?: number,
  ): Promise<HttpCommandServer> {
    const args = ['serve', '--http', '--port', '0', '--workspace', workspace, '--policy', policy];
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env.PATH, HOME: workspace, XDG_STATE_HOME: state, LANG: 'C.UTF-8', ...env },
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    let printed = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (part) => (printed += String(part)));
    const at = (): string | undefined => /serves MCP at (\S+)/.exec(printed)?.[1];
    await eventually('it listens', () => at() !== undefined || child.exitCode !== null, 60_000);
    const url = at();
    if (url === undefined) throw new Error(`The server has ended: ${printed}`);
    return new HttpCommandServer(child, url);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async caller(key: string): Promise<HttpCaller> {
    const client = new HttpClient(this.url, key);
    await client.open();
    return new HttpCaller(client);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

export class HttpCaller {
  #calls = 0;

  constructor(private readonly client: HttpClient) {}

  run(command: string | object): Promise<CommandReply> {
    return this.call('execute_command', typeof command === 'string' ? { command } : command);
  }

  async call(tool: string, args: object): Promise<CommandReply> {
    this.#calls += 1;
    const id = this.#calls;
    const messages = await this.client.call(id, tool, args);
    const answer = messages.find((message) => message.id === id);
    const content = answer?.result?.content;
    const text: unknown = Array.isArray(content) ? content[0]?.text : undefined;
    if (typeof text !== 'string') throw new Error(`no text in ${JSON.stringify(messages)}`);
    return text.startsWith('{')
      ? JSON.parse(text)
      : { success: answer?.result?.isError !== true, error: text };
  }
}
