import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALL } from './client-sessions.js';
import type { HttpClientSession } from './http-sessions.js';
import { runStep } from './run-step.js';

const TOKEN = 'a-token-for-real-clients';
const SERVED_SECONDS = 60;
/** Some wait for somebody to sign in when they are refused. */
const REFUSED_SECONDS = 20;

export interface InstalledClient {
  readonly folder: string;
  readonly version: string;
  readonly node: string;
}

interface Served {
  readonly url: string;
  readonly refusals: () => Promise<number>;
}

/** What a client came to with the token, and with another one: what it printed and how often it was refused. */
export async function holdOverHttp(
  { name, package: pack, session }: HttpClientSession,
  { folder, version, node }: InstalledClient,
  main: string,
): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-client-')));
  const project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, CALL.path), `${CALL.answer}\n`);
  const env = { PATH: process.env.PATH, HOME: join(root, 'server'), CASTELLAN_TOKEN: TOKEN };
  try {
    spawnSync(process.execPath, [main, 'init'], { cwd: project, env });
    const listed = spawnSync(process.execPath, [main, 'tools', '--json'], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
    const tools: readonly string[] = JSON.parse(listed.stdout).tools.map(
      ({ name: tool }: { readonly name: string }) => tool,
    );
    return await serving(main, project, env, async ({ url, refusals }) => {
      const attempt = async (token: string, seconds: number) => {
        const home = mkdtempSync(join(root, 'home-'));
        const ground = { project, home, client: folder, node };
        const before = await refusals();
        let printed = '';
        for (const step of session({ url, token, home, client: folder }))
          printed += await runStep(step, ground, seconds);
        if (process.env.SHOW_ANSWERS) console.error(printed);
        const known = tools.filter((tool) => printed.includes(tool)).length;
        return { known, answered: printed.includes(CALL.answer), refused: (await refusals()) - before };
      };
      const good = await attempt(TOKEN, SERVED_SECONDS);
      const wrong = await attempt('a-token-of-somebody-else', REFUSED_SECONDS);
      const isOk =
        good.known > 0 && good.answered && good.refused === 0 && wrong.refused > 0 && !wrong.answered;
      const call = `${CALL.tool} ${good.answered ? 'called' : 'not called'}`;
      return `${isOk ? 'ok' : 'FAILED'}  ${name} over HTTP (${pack} ${version}): ${good.known} tools listed, ${call}, ${good.refused} refused; with a wrong token ${wrong.refused} refused with 401, ${wrong.answered ? 'called' : 'not called'}`;
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function serving(
  main: string,
  project: string,
  env: NodeJS.ProcessEnv,
  use: (served: Served) => Promise<string>,
): Promise<string> {
  const config = join(project, '..', 'settings.yaml');
  writeFileSync(config, 'http: { admin: "127.0.0.1:0" }\n');
  const args = [main, 'serve', '--http', '--port', '0', '--config', config];
  const server = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const printed = await new Promise<string>((resolve, reject) => {
      let text = '';
      const read = (part: Buffer) => {
        text += String(part);
        if (/serves MCP at \S+[\s\S]*metrics at \S+\/healthz/.test(text)) resolve(text);
      };
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.once('exit', () => reject(new Error(`castellan ended: ${text}`)));
    });
    const url = /serves MCP at (\S+)/.exec(printed)?.[1] ?? '';
    const admin = /metrics at (\S+)\/healthz/.exec(printed)?.[1] ?? '';
    const refusals = async () => {
      const text = await (await fetch(`${admin}/metrics`)).text();
      return Number(/^castellan_http_refusals_total\{status="401"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    return await use({ url, refusals });
  } finally {
    server.kill('SIGKILL');
  }
}
