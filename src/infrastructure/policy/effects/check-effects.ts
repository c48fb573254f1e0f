import type { FileProblem } from '../../../domain/file-problem.js';
import { checkAdded } from './also-allow-effects.js';
import { checkCommandRules } from './command-effects.js';
import type { EffectsSubject, Report } from './effects-subject.js';
import { checkHosts } from './host-effects.js';
import { checkPathRules } from './path-effects.js';
import { checkReferences } from './reference-effects.js';
import { checkShell } from './shell-effects.js';
import { checkTests } from './test-effects.js';
import { checkToolKeys } from './tool-key-effects.js';

/** Keys, patterns and rules that can have no effect: a policy must say what it does. */
export function checkEffects(subject: EffectsSubject, problems: FileProblem[]): void {
  const report: Report = ({ file, line, column }, message, hint) => {
    if (!file.startsWith('builtin:') && file !== 'embedder')
      problems.push({ file, line, column, message, hint });
  };
  checkToolKeys(subject, report);
  checkPathRules(subject, report);
  checkCommandRules(subject, report);
  checkHosts(subject, report);
  checkShell(subject, report);
  checkReferences(subject, report);
  checkAdded(subject, report);
  checkTests(subject, report);
}
