import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { servePages } from '../../src/composition/cli/console-actions.js';
import { PinFile } from '../../src/infrastructure/approval/pin-file.js';
import { resolveStateFolder } from '../../src/infrastructure/state/state-folder.js';
import type { ConsolePages } from '../../src/presentation/cli/console-command.js';
import { CliWorkspace } from './cli-workspace.js';
import { ENVELOPES } from './other-answers.js';
import { MAIN, SpawnedServer, type WireMessage } from './spawned-server.js';

const PIN = 'correct horse';

/** Debian's browser, which scripts/provision.ts installs. */
export async function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // It leaves files in its home.
  const home = mkdtempSync(join(tmpdir(), 'castellan-browser-'));
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args, env });
  browser.on('disconnected', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  return browser;
}

/** A server of a user with a PIN, and the console of the same user. */
export class ConsoleGround {
  readonly project = new CliWorkspace();
  readonly servers: SpawnedServer[] = [];
  pages: ConsolePages | undefined;

  get stateFolder(): string {
    const state = resolveStateFolder({ ...process.env, ...this.project.env });
    if (!state.success) throw new Error(state.error);
    return state.value;
  }

  /** The PIN is set, and the console is open. */
  async open(): Promise<void> {
    const pin = new PinFile(this.stateFolder);
    await pin.set(PIN);
    const unlocked = await pin.unlock(PIN);
    if (!unlocked.success) throw new Error(unlocked.error);
    this.pages = await servePages(this.stateFolder, unlocked.value, 0);
  }

  async serve(policy: string): Promise<SpawnedServer> {
    const file = this.project.write('permissions.yaml', policy);
    const env = { ...this.project.env, ...ENVELOPES, CASTELLAN_LOG_LEVEL: 'silent' };
    const server = new SpawnedServer(MAIN, env, { args: ['--policy', file], cwd: this.project.folder });
    this.servers.push(server);
    await server.initialize();
    return server;
  }

  link(): string {
    if (this.pages === undefined) throw new Error('The console is not open.');
    return this.pages.link();
  }

  /** A browser of a person who has opened an address of the console. */
  async person(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context: BrowserContext = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(this.link());
    return page;
  }

  file(name: string): string {
    return join(this.project.folder, name);
  }

  async close(): Promise<void> {
    await this.pages?.close();
    await Promise.all(this.servers.map((server) => server.kill()));
    await this.project.remove();
  }
}

/** What the agent was answered, as text. */
export function answerText({ result, error }: WireMessage): string {
  return JSON.stringify(result ?? error);
}
