import type { PolicyLayer } from '../../../domain/permission/policy/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/policy/rule-position.js';
import type { TestBench } from '../check/policy-tests.js';
import type { PolicySurroundings } from '../compile/policy-compilation.js';
import type { PolicyDocument } from '../schema/policy-document.js';

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
