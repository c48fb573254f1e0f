import type { ServiceIdentifier } from 'inversify';
import type { FileProblem } from '../../../domain/file-problem.js';
import type { Prompt } from '../../../domain/prompt/prompt.js';

/** Provides prompts. Invalid ones are skipped, and the last valid one of the same name stays. */
export interface PromptSource {
  /** Sorted by name; read at the first call and followed from then on. */
  list(): Promise<readonly Prompt[]>;
  problems(): readonly FileProblem[];
  /** Returns a function that stops listening. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export const PromptSource: ServiceIdentifier<PromptSource> = Symbol.for('castellan.PromptSource');
