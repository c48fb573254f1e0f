import type { PolicyLayer } from '../../../domain/permission/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/rule-position.js';
import type { PolicySurroundings } from '../policy-compilation.js';
import type { PolicyDocument } from '../policy-document.js';
import type { TestBench } from '../policy-tests.js';

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
