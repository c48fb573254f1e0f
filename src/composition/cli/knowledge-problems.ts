import { CheckAlignmentHandler } from '../../application/knowledge/check-alignment.js';
import { KnowledgeSettings } from '../../application/knowledge/knowledge-settings.js';
import { ValidatePatternHandler } from '../../application/knowledge/validate-pattern.js';
import { DocumentLibrary } from '../../application/ports/knowledge/document-library.js';
import { PromptReferences } from '../../application/prompt/prompt-references.js';
import { formatProblem } from '../../domain/file-problem.js';
import type { Configuration } from '../configuration/configuration.js';
import { createContainer } from '../container.js';
import type { KnowledgeProblems } from '../modules/doctor.module.js';
import { Castellan } from '../server/castellan.js';

/** Looks at the files as a server of this configuration would, without serving anybody. */
export async function withKnowledgeProblems<T>(
  configuration: Configuration,
  action: (knowledge: KnowledgeProblems) => Promise<T>,
): Promise<T> {
  const castellan = Castellan.open(createContainer(configuration, { logLevel: 'silent' }));
  const { container, session } = castellan;
  try {
    return await action({
      decisions: async () =>
        (await container.get(CheckAlignmentHandler).lint()).map(
          ({ path, line, problem }) => `${path}:${line}: ${problem}`,
        ),
      patterns: async () => [
        ...(await container.get(ValidatePatternHandler).lint()).map(
          ({ path, rule, reason }) => `${path}: ${rule}: ${reason}`,
        ),
        ...container
          .get(DocumentLibrary)
          .problems()
          .map(({ path, problem }) => `${path}: ${problem}`),
      ],
      prompts: async () => (await container.get(PromptReferences).problems(session.id)).map(formatProblem),
      ...unanswerable(container.get(KnowledgeSettings)),
    });
  } finally {
    await castellan.close();
  }
}

/** The shipped prompts work without documents and say so; whoever looks for the reason is told here. */
function unanswerable({ categories }: KnowledgeSettings): Pick<KnowledgeProblems, 'promptsNote'> {
  if (categories.length > 0) return {};
  return {
    promptsNote:
      'the shipped ones have no documents to work with until castellan.yaml names folders under categories',
  };
}
