import type { ServiceIdentifier } from 'inversify';
import type { FileProblem } from '../../../domain/file-problem.js';
import type { Prompt } from '../../../domain/prompt/prompt.js';

/** Where prompts come from. What is wrong is left out, and the last good one of its name stays. */
export interface PromptSource {
  /** Sorted by name; read at the first call and followed from then on. */
  list(): Promise<readonly Prompt[]>;
  problems(): readonly FileProblem[];
  /** Returns how to stop listening. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export const PromptSource: ServiceIdentifier<PromptSource> = Symbol.for('castellan.PromptSource');
