import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { goldenOf, installedFile } from './golden-hooks.js';

interface Verdict {
  readonly isValid: boolean;
  readonly errors: readonly string[];
}

type Check = (value: unknown) => Verdict;

interface Referee {
  readonly settings: Check;
  readonly answers: Readonly<Record<string, Check>>;
}

/**
 * The checks of hooks.json and of a hook's answers in Cursor's own agent, as @cursor/sdk bundles it. They are not
 * exported: the module is evaluated with its other modules replaced by stand-ins.
 */
function refereeIn(folder: string): Referee {
  const bundle = join(folder, 'node_modules/@cursor/sdk/dist/cjs/429.index.js');
  let text = readFileSync(bundle, 'utf8');
  const answers = /const (\w+)=\{\[\w+\.beforeShellExecution\]/.exec(text)?.[1];
  const settings = /(\w+)=e=>\{const t=\[\];if\(!\w+\(e\)\)return t\.push\("Hooks conf/.exec(text)?.[1];
  if (answers === undefined || settings === undefined)
    throw new Error('@cursor/sdk has changed: its checks of hooks are not found.');
  text = text.replace(`const ${answers}=`, `const ${answers}=found.answers=`);
  text = text.replace(`${settings}=e=>`, `${settings}=found.settings=e=>`);
  const found: { answers?: Referee['answers']; settings?: Check } = {};
  const bundled: { modules?: Record<string, (module: object, exported: object, load: object) => void> } = {};
  const require = createRequire(bundle);
  runInThisContext(`(exports, require, found) => {${text}\n}`)(bundled, require, found);
  bundled.modules?.['./src/agent/local-executor.ts']?.({ exports: {} }, {}, loader(require));
  if (found.answers === undefined || found.settings === undefined)
    throw new Error('@cursor/sdk has changed: its checks of hooks are not evaluated.');
  return { answers: found.answers, settings: found.settings };
}

function loader(require: NodeJS.Require): object {
  const load = (id: string) => (id.startsWith('node:') ? require(id) : standIn());
  const nothing = () => undefined;
  const same = (value: unknown) => value;
  return Object.assign(load, { d: nothing, r: nothing, t: same, n: (value: unknown) => () => value });
}

/** Can be called, constructed, extended and asked for anything. */
function standIn(): object {
  const target = function standInFor() {};
  return new Proxy(target, {
    get: (own, key) => {
      if (key === 'prototype') return own.prototype;
      if (key === Symbol.toPrimitive) return () => '';
      return key === Symbol.iterator ? [][Symbol.iterator] : standIn();
    },
    apply: () => standIn(),
    construct: () => ({}),
  });
}

export function checkCursor(folder: string): string {
  const { settings, answers } = refereeIn(folder);
  fits('hooks.json', settings(JSON.parse(installedFile(folder, 'cursor', '.cursor/hooks.json'))));
  const golden = goldenOf('cursor');
  for (const { title, input, answer } of golden) {
    const check = answers[String(input.hook_event_name)];
    if (check === undefined) throw new Error(`Cursor: ${title}: there is no such event.`);
    fits(title, check(answer.stdout));
  }
  return `Cursor: hooks.json and ${golden.length} answers pass the checks of the agent in @cursor/sdk`;
}

function fits(what: string, { isValid, errors }: Verdict): void {
  if (!isValid) throw new Error(`Cursor: ${what}: ${errors.join(', ')}`);
}
