import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  ExplainPermissionHandler,
  type ExplainPermissionQuery,
  type PermissionExplanation,
} from '../../src/application/permission/explain-permission.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { policyExplainCommand } from '../../src/presentation/cli/policy-explain-command.js';
import { MemoryOutput } from './memory-output.js';
import { type Finished, runCommand } from './run-command.js';
import { MAIN, SpawnedServer } from './spawned-server.js';

/** A project, a home and a state of its own for the built command. Whoever makes one removes it. */
export class CliWorkspace {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-project-')));
  readonly #servers: SpawnedServer[] = [];
  readonly folder = join(this.#root, 'project');
  readonly state = join(this.#root, 'state', 'castellan');

  constructor() {
    mkdirSync(this.folder);
  }

  get env(): NodeJS.ProcessEnv {
    return {
      HOME: join(this.#root, 'home'),
      XDG_STATE_HOME: join(this.#root, 'state'),
      XDG_CONFIG_HOME: join(this.#root, 'config'),
    };
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Runs the command here, to its end. */
  run(args: readonly string[], more: { input?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Finished> {
    return runCommand(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      env: { ...this.env, ...more.env },
      ...(more.input !== undefined && { input: more.input }),
    });
  }

  /** A server here, spoken to line by line; killed by remove() at the latest. */
  serve(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, script = MAIN): SpawnedServer {
    const server = new SpawnedServer(script, { ...this.env, ...env }, { args, cwd: this.folder });
    this.#servers.push(server);
    return server;
  }

  /** What `castellan policy explain --json` prints here, for many calls without a process for each. */
  async explain(
    calls: readonly (readonly [string, object])[],
    options: { readonly policy?: string } = {},
  ): Promise<readonly PermissionExplanation[]> {
    const environment = this.env;
    const castellan = await createCastellan({
      workspace: this.folder,
      environment,
      logLevel: 'silent',
      ...options,
    });
    const handler = castellan.container.get(ExplainPermissionHandler);
    const explanations: PermissionExplanation[] = [];
    for (const [tool, args] of calls) {
      const output = new MemoryOutput();
      const explain = (query: ExplainPermissionQuery) => handler.handle(query);
      const options = { json: true, workspace: this.folder, toolNames: [] };
      await policyExplainCommand(explain, tool, JSON.stringify(args), options, output);
      explanations.push(JSON.parse(output.stdout));
    }
    await castellan.close();
    return explanations;
  }

  auditSegments(): readonly string[] {
    const folder = join(this.state, 'audit');
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(folder, name));
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}
