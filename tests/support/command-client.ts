import { ENVELOPES } from './other-answers.js';
import { SpawnedServer } from './spawned-server.js';

/** What execute_command answered, in either shape. */
export interface CommandReply {
  readonly success: boolean;
  readonly value?: {
    readonly exit_code: number;
    readonly stdout: string;
    readonly stderr: string;
    readonly truncated: boolean;
    readonly sandbox: string;
  };
  readonly error?: string;
  readonly error_type?: string;
  readonly error_details?: { readonly reason?: string };
  readonly message?: string;
  readonly instruction?: string;
}

/** The built server with one workspace and one policy, asked to run commands. */
export class CommandClient {
  #calls = 0;

  private constructor(readonly server: SpawnedServer) {}

  static async start(
    ground: { readonly workspace: string; readonly state: string },
    policy: string,
    env: NodeJS.ProcessEnv = {},
    /** Another user than whoever runs the tests. */
    uid?: number,
  ): Promise<CommandClient> {
    const variables = {
      CASTELLAN_WORKSPACE: ground.workspace,
      CASTELLAN_POLICY: policy,
      XDG_STATE_HOME: ground.state,
      CASTELLAN_LOG_LEVEL: 'silent',
      LANG: 'C.UTF-8',
      ...ENVELOPES,
      ...env,
    };
    const options = uid === undefined ? {} : { uid, cwd: ground.workspace };
    const server = new SpawnedServer(undefined, variables, options);
    await server.initialize();
    return new CommandClient(server);
  }

  run(command: string | Readonly<Record<string, unknown>>): Promise<CommandReply> {
    return this.call('execute_command', typeof command === 'string' ? { command } : command);
  }

  async call(tool: string, args: Readonly<Record<string, unknown>>): Promise<CommandReply> {
    this.#calls += 1;
    const { result, error } = await this.server.callTool(this.#calls, tool, args);
    if (result === undefined) return { success: false, error: error?.message ?? 'no answer' };
    const { content } = result;
    const text: unknown = Array.isArray(content) ? content[0]?.text : undefined;
    if (typeof text !== 'string') throw new Error(`no text in ${JSON.stringify(result)}`);
    return text.startsWith('{') ? JSON.parse(text) : { success: result.isError !== true, error: text };
  }

  /** Several at once, answers in the order of the lines. */
  async runAll(lines: readonly string[], atOnce: number): Promise<readonly CommandReply[]> {
    const replies: CommandReply[] = [];
    const queue = [...lines.entries()];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        replies[next[0]] = await this.run(next[1]);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return replies;
  }

  stop(): Promise<void> {
    return this.server.kill();
  }
}

/** For suites with many calls: the limits on their number are not what they are about. */
export const MANY_CALLS =
  'rate: { limit: 100000/min, burst: 100000 }\n    circuit_breaker: { failures: 1000, open_for: 1s }';
