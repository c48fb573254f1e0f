import 'reflect-metadata';
import type { InputValidator } from '../../src/application/ports/tool/input-validator.js';
import type { Tool } from '../../src/domain/tool/tool.js';
import { EVENT_LOOP } from '../../src/infrastructure/system/immediate-turns.js';
import { TypeboxInputValidator } from '../../src/infrastructure/tool/typebox-input-validator.js';
import { toolFromDefinition } from '../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';
import type { BenchContext, Sample, Suite } from '../bench-suite.js';
import { interleavedRounds } from '../interleaved-rounds.js';

const DEFAULT_ROUNDS = 5;
const CHECKS = 20_000;
const PROGRAM = 'export const one = 1;\n'.repeat(2000);

/** Arguments that are checked, by the metric they are told under. */
const CALLS: readonly (readonly [metric: string, tool: string, args: object])[] = [
  ['small', 'echo', { message: 'Hello' }],
  ['many', 'search_content', { query: 'one', include: ['*.ts'], context: 2, case: 'smart', limit: 10 }],
  ['nested', 'edit_file', { path: 'a.ts', edits: Array(100).fill({ old_text: 'one', new_text: 'two' }) }],
  ['long', 'validate_against_pattern', { code: PROGRAM, pattern_name: 'failure-as-a-value' }],
  ['refused', 'echo', { massage: 'Hello' }],
];

/** Validation alone: no transport, no policy, no handler. `checks` is how many a round makes of each. */
export async function validationSample(
  checks: number,
  validator: Pick<InputValidator, 'check'> = new TypeboxInputValidator({}, EVENT_LOOP),
): Promise<Sample> {
  const sample: Record<string, number> = {};
  for (const [metric, name, args] of CALLS) {
    const tool = toolNamed(name);
    const expected = metric !== 'refused';
    const { success } = await validator.check(tool, structuredClone(args));
    if (success !== expected) throw new Error(`${name}: validation ${success ? 'passed' : 'failed'}`);
    const copies = Array.from({ length: checks }, () => ({ ...args }));
    const before = process.cpuUsage();
    for (const copy of copies) await validator.check(tool, copy);
    const { user, system } = process.cpuUsage(before);
    sample[metric] = (user + system) / checks;
  }
  return sample;
}

export const validationSuite: Suite = {
  name: 'validation',
  run: async ({ args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const checks = Number(args[1] ?? CHECKS);
    const measure = () => validationSample(checks);
    await measure();
    return {
      title: 'Validation of arguments, alone',
      conditions: `CPU of one check against a compiled schema, ${checks} a round, without transport, policy and handler. Medians of ${rounds} rounds.`,
      baseline: 'castellan',
      metrics: [
        { id: 'small', title: 'one text', unit: 'µs' },
        { id: 'many', title: 'five arguments', unit: 'µs' },
        { id: 'nested', title: '100 edits', unit: 'µs' },
        { id: 'long', title: '44,000 characters', unit: 'µs' },
        { id: 'refused', title: 'a refusal with its words', unit: 'µs' },
      ],
      subjects: await interleavedRounds([{ name: 'castellan', measure }], rounds),
      goals: [{ title: 'validation of one text, CPU', metric: 'small', subject: 'castellan', atMost: 20 }],
    };
  },
};

function toolNamed(name: string): Tool {
  const definition = builtinTools.find((candidate) => candidate.name === name);
  const tool = definition && toolFromDefinition(definition, 'concise');
  if (!tool?.success) throw new Error(`there is no tool ${name}`);
  return tool.value;
}
