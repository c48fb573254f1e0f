import type { ToolDefinition, ToolSpecificationNotes } from '../../../application/tool/tool-definition.js';
import { FILE_NOTES } from './file-notes.js';
import { KNOWLEDGE_NOTES } from './knowledge-notes.js';
import { PROJECT_NOTES } from './project-notes.js';
import { SYSTEM_NOTES } from './system-notes.js';

// Apart from the definitions: a server starts with those, and these texts are read by few.
const BUILT_IN: ReadonlyMap<string, ToolSpecificationNotes> = new Map(
  Object.entries({ ...FILE_NOTES, ...KNOWLEDGE_NOTES, ...PROJECT_NOTES, ...SYSTEM_NOTES }),
);

/** A tool's own notes, or ours for a built-in one; undefined for a tool that says nothing beyond its definition. */
export function specificationNotes({
  name,
  specification,
}: Pick<ToolDefinition, 'name' | 'specification'>): ToolSpecificationNotes | undefined {
  return specification ?? BUILT_IN.get(name);
}
