import type { ServiceIdentifier } from 'inversify';
import type { Category, Collections } from '../../domain/knowledge/document/category.js';

/** The documents of a project: categories, and names for sets of them. */
export interface ProjectKnowledge {
  readonly categories: readonly Category[];
  readonly collections: Collections;
}

/** The knowledge part of castellan.yaml, for the active project and any other it names. */
export interface KnowledgeSettings extends ProjectKnowledge {
  /** Absolute; the directories of categories are relative to it. */
  readonly workspace: string;
  readonly project: { readonly name: string };
  readonly projects?: Readonly<Record<string, ProjectKnowledge>>;
}

export const KnowledgeSettings: ServiceIdentifier<KnowledgeSettings> = Symbol.for(
  'castellan.KnowledgeSettings',
);
