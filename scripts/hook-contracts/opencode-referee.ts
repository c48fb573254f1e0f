import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileIn, type Golden, goldenOf, installedFile } from './golden-hooks.js';

/**
 * The plugin that is installed compiles as a `Plugin` of @opencode-ai/plugin, the questions as what opencode gives it;
 * then it is run as opencode would, with a program in place of the hook that prints each golden answer.
 */
export async function checkOpencode(folder: string): Promise<string> {
  const golden = goldenOf('opencode');
  const plugin = installedFile(folder, 'opencode', '.opencode/plugin/castellan.js');
  const typed = plugin
    .replace('export const Castellan = async', 'export const Castellan: Plugin = async')
    .replace('function ask(question, cwd)', 'function ask(question: object, cwd: string): Promise<string>');
  if (!typed.includes(': Plugin = async') || !typed.includes('Promise<string>'))
    throw new Error('opencode: the plugin has changed: this script has to know where its types go.');
  const questions = golden.flatMap(({ input: { tool, session, args } }, index) => [
    `export const i${index} = ${JSON.stringify({ tool, sessionID: session, callID: '1' })} satisfies Before[0];`,
    `export const o${index} = ${JSON.stringify({ args })} satisfies Before[1];`,
  ]);
  compileIn(folder, 'opencode', [
    "import type { Hooks, Plugin } from '@opencode-ai/plugin';",
    "type Before = Parameters<NonNullable<Hooks['tool.execute.before']>>;",
    ...questions,
    typed,
  ]);
  for (const one of golden) await runPlugin(folder, plugin, one);
  return `opencode: the plugin and ${golden.length} questions fit the types of @opencode-ai/plugin, and it takes each answer as it is meant`;
}

async function runPlugin(folder: string, plugin: string, { title, input, answer }: Golden): Promise<void> {
  const file = join(folder, `${title.replaceAll(' ', '-')}.mjs`);
  const printing = `let t = ""; process.stdin.on("data", (p) => (t += p)).on("end", () => {
    if (t !== ${JSON.stringify(JSON.stringify({ ...input, cwd: folder }))}) throw new Error("asked " + t);
    process.stdout.write(${JSON.stringify(JSON.stringify(answer.stdout))});
  });`;
  const words = JSON.stringify([process.execPath, '-e', printing]);
  writeFileSync(
    file,
    plugin.replace(/^const \[program, \.\.\.args\] = .*$/m, () => `const [program, ...args] = ${words};`),
  );
  const { Castellan } = await import(pathToFileURL(file).href);
  const hooks = await Castellan({ directory: folder });
  const { tool, session: sessionID, args } = input;
  const thrown: unknown = await hooks['tool.execute.before']({ tool, sessionID, callID: '1' }, { args }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { decision, reason } = Object(answer.stdout);
  const came = thrown instanceof Error ? thrown.message : undefined;
  if (came !== (decision === 'allow' ? undefined : reason))
    throw new Error(`opencode: ${title}: the plugin made of it: ${came}`);
}
