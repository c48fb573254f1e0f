import type { FileProblem } from '../../../domain/file-problem.js';
import type { PolicyLayer } from '../../../domain/permission/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/rule-position.js';
import type { PolicySurroundings } from '../policy-compilation.js';
import type { PolicyDocument } from '../policy-document.js';
import type { TestBench } from '../policy-tests.js';
import { checkCommandRules } from './command-effects.js';
import { checkPathRules } from './path-effects.js';
import { checkReferences } from './reference-effects.js';
import { checkTests } from './test-effects.js';
import { checkToolKeys } from './tool-key-effects.js';

/** What is being looked at: a policy that is written correctly, with everything it extends. */
export interface EffectsSubject {
  /** Only what stands in this file is its author's to mend. */
  readonly file: string;
  readonly document: PolicyDocument;
  readonly layer: PolicyLayer;
  readonly surroundings: PolicySurroundings;
  readonly bench: TestBench;
}

export type Report = (at: RulePosition, message: string, hint: string) => void;

/** Keys, patterns and rules that can have no effect: a policy must say what it does. */
export function checkEffects(subject: EffectsSubject, problems: FileProblem[]): void {
  const report: Report = ({ file, line, column }, message, hint) => {
    if (!file.startsWith('builtin:') && file !== 'embedder')
      problems.push({ file, line, column, message, hint });
  };
  checkToolKeys(subject, report);
  checkPathRules(subject, report);
  checkCommandRules(subject, report);
  checkReferences(subject, report);
  checkTests(subject, report);
}
