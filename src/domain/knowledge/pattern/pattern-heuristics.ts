import type { RuleHit } from './rule-hit.js';

const SPAN = /`([^`\n]{2,60})`/g;
const FORBIDS = /\b(?:must not|never|avoid|do not|don't|should not|forbidden|not allowed)\b/i;
const DEMANDS = /\b(?:must|should|always|needs? to|has to|have to|requires?)\b/i;
const MAX_FINDINGS = 20;
const MAX_NAMES = 200;
const MAX_SENTENCE = 2000;

export interface HeuristicFinding extends RuleHit {
  readonly rule: string;
  readonly description: string;
}

/**
 * Guesses violations from a pattern's prose: names in code marks that its sentences demand or forbid. Only
 * ever a hint.
 */
export function guessViolations(pattern: string, code: string): readonly HeuristicFinding[] {
  const findings = new Map<string, HeuristicFinding>();
  const looked = new Set<string>();
  for (const whole of proseOf(pattern).split(/(?<=[.!?])\s+|\n/)) {
    if (looked.size >= MAX_NAMES) break;
    const sentence = whole.slice(0, MAX_SENTENCE);
    const forbids = FORBIDS.exec(sentence);
    const demands = DEMANDS.exec(sentence);
    if (forbids === null && demands === null) continue;
    for (const span of sentence.matchAll(SPAN)) {
      const name = (span[1] ?? '').replace(/\(.*$|<.*$/, '').trim();
      looked.add(name);
      const at = name.length < 3 ? -1 : code.indexOf(name);
      const place = at === -1 ? { line: 1, column: 1 } : placeOf(code, at);
      const said = sentence.trim().slice(0, 200);
      if (forbids !== null && forbids.index < span.index && at !== -1) {
        findings.set(name, {
          rule: `mentions ${name}`,
          description: `The pattern says: "${said}"`,
          ...place,
        });
      } else if (forbids === null && demands !== null && name.length >= 3 && at === -1) {
        findings.set(name, { rule: `lacks ${name}`, description: `The pattern says: "${said}"`, ...place });
      }
    }
  }
  return [...findings.values()].slice(0, MAX_FINDINGS);
}

function proseOf(pattern: string): string {
  return pattern
    .replace(/^ {0,3}(```|~~~)[^\n]*\n.*?^ {0,3}\1[^\n]*$/gms, '')
    .replace(/^---\n.*?\n---\n/s, '');
}

export function placeOf(code: string, at: number): RuleHit {
  const before = code.slice(0, at);
  const newline = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: at - newline };
}
