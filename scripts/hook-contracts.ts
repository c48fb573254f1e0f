/**
 * The golden files of hooks against what the clients' makers publish: the types of Claude's agent SDK, of opencode's
 * plugins and of Copilot's SDK, the schemas in Codex's program, the runner of hooks of Gemini CLI, the checks in
 * Cursor's SDK. What is installed for it is taken away. Needs a build.
 *
 *   npx tsx scripts/hook-contracts.ts
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkCursor } from './hook-contracts/cursor-referee.js';
import { compileIn, goldenOf, runIn } from './hook-contracts/golden-hooks.js';
import { checkOpencode } from './hook-contracts/opencode-referee.js';

const PACKAGES = [
  '@anthropic-ai/claude-agent-sdk',
  '@google/gemini-cli-core',
  '@openai/codex',
  '@opencode-ai/plugin',
  '@github/copilot-sdk',
  '@cursor/sdk',
];

function checkClaude(folder: string): string {
  const golden = goldenOf('claude');
  compileIn(folder, 'claude', [
    "import type { PreToolUseHookInput, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';",
    ...golden.flatMap(({ input, answer }, index) => [
      `export const i${index} = ${JSON.stringify(input)} satisfies PreToolUseHookInput;`,
      `export const o${index} = ${JSON.stringify(answer.stdout)} satisfies SyncHookJSONOutput;`,
    ]),
  ]);
  return `Claude Code: ${golden.length} questions and answers fit the types of @anthropic-ai/claude-agent-sdk`;
}

/** The SDK gives a hook in its own process the same answer; its question has a Date and another name for the folder. */
function checkCopilot(folder: string): string {
  const golden = goldenOf('copilot');
  compileIn(folder, 'copilot', [
    "import type { SessionHooks } from '@github/copilot-sdk';",
    "type PreToolUse = NonNullable<SessionHooks['onPreToolUse']>;",
    'type Answer = NonNullable<Exclude<Awaited<ReturnType<PreToolUse>>, void>>;',
    ...golden.map(
      ({ answer }, index) => `export const o${index} = ${JSON.stringify(answer.stdout)} satisfies Answer;`,
    ),
  ]);
  return `Copilot: ${golden.length} answers fit the types of @github/copilot-sdk`;
}

/** The schemas are texts in the program. */
function checkCodex(folder: string): string {
  const found = readdirSync(join(folder, 'node_modules', '@openai'), { recursive: true, encoding: 'utf8' });
  const program = found.find((name) => name.endsWith('/bin/codex') && name.includes('vendor'));
  if (program === undefined) throw new Error('Codex has no program for this machine.');
  const bytes = readFileSync(join(folder, 'node_modules', '@openai', program)).toString('latin1');
  const { Ajv } = createRequire(join(folder, 'codex.js'))('ajv');
  const ajv = new Ajv({ strict: false });
  const fits = (what: 'input' | 'output') => ajv.compile(schemaIn(bytes, `pre-tool-use.command.${what}`));
  const [input, output] = [fits('input'), fits('output')];
  const golden = goldenOf('codex');
  for (const { title, input: given, answer } of golden)
    if (!input(given) || !output(answer.stdout)) throw new Error(`Codex: ${title} does not fit its schema.`);
  return `Codex: ${golden.length} questions and answers fit the schemas in its program`;
}

function schemaIn(bytes: string, title: string): object {
  const at = bytes.indexOf(`"title": "${title}"`);
  const start = bytes.lastIndexOf('{\n  "$schema"', at);
  const { $schema: _, ...schema } = JSON.parse(bytes.slice(start, bytes.indexOf('\n}', at) + 2));
  return schema;
}

/** Its own runner reads our answers. */
async function checkGemini(folder: string): Promise<string> {
  const runner = join(folder, 'node_modules/@google/gemini-cli-core/dist/src/hooks/hookRunner.js');
  const { HookRunner } = await import(pathToFileURL(runner).href);
  const none = { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [] };
  const config = {
    isTrustedFolder: () => true,
    storage: { getPlansDir: () => folder },
    sanitizationConfig: { ...none, enableEnvironmentVariableRedaction: false },
  };
  const golden = goldenOf('gemini');
  for (const { title, input, answer } of golden) {
    const file = join(folder, 'answer.json');
    writeFileSync(file, JSON.stringify(answer.stdout));
    const hook = { type: 'command', command: `cat > /dev/null; cat ${file}`, timeout: 10_000 };
    const read = await new HookRunner(config).executeHook(hook, 'BeforeTool', { ...input, cwd: folder });
    const wanted = JSON.stringify(answer.stdout).match(/"decision":"(\w+)"/)?.[1];
    if (!read.success || read.output?.decision !== wanted)
      throw new Error(`Gemini CLI reads ${title} otherwise.`);
  }
  return `Gemini CLI: ${golden.length} answers are read as they are meant by @google/gemini-cli-core`;
}

const folder = mkdtempSync(join(tmpdir(), 'castellan-contracts-'));
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES, 'ajv']);
  for (const check of [checkClaude, checkCodex, checkGemini, checkOpencode, checkCopilot, checkCursor])
    console.log(await check(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
