import { DEFAULT_ROLE } from '../../../domain/permission/policy/policy-roles.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import { didYouMean } from '../../config/did-you-mean.js';
import type { PolicyTest } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';

/** Tests that prove nothing: they pass whatever the rules say. */
export function checkTests({ document, bench, layer }: EffectsSubject, report: Report): void {
  const seen = new Map<string, PolicyTest>();
  const roles = [DEFAULT_ROLE, ...Object.keys(document.roles ?? {})];
  for (const test of document.tests ?? []) {
    const { tool, args, at } = test;
    const key = JSON.stringify([tool, args, test.roles ?? []]);
    const first = seen.get(key);
    if (first !== undefined) {
      report(at, `This asks the same as the test in line ${first.at.line}.`, 'Remove one of them.');
    }
    seen.set(key, first ?? test);
    checkArguments(test, bench.argumentsOf?.(tool), report);
    const capabilities = layer.knownTools.get(normaliseToolName(tool)) ?? [];
    const asksNothing = capabilities.length > 0 && bench.requestsOf(tool, args).length === 0;
    if (asksNothing && test.expect !== 'deny') {
      const hint = capabilities.includes('command') ? 'command: ls' : 'path: src/a.ts';
      report(
        at,
        `This test names nothing that ${tool} would use, so it proves nothing.`,
        `Give args: { ${hint} }.`,
      );
    }
    const stranger = test.roles?.find((role) => !roles.includes(role));
    if (stranger !== undefined) {
      const hint = didYouMean(stranger, roles) ?? 'Define it under roles.';
      report(at, `No role is called ${stranger}, so this test proves nothing.`, hint);
    }
  }
}

function checkArguments(
  { tool, args, at }: PolicyTest,
  known: readonly string[] | undefined,
  report: Report,
): void {
  if (known === undefined) return;
  const stranger = Object.keys(args).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const hint = didYouMean(stranger, known) ?? `It has ${known.join(', ') || 'none'}.`;
  report(at, `${tool} has no argument ${stranger}, so this part of the test proves nothing.`, hint);
}
