// How a tool is written: ../README.md
import { WriteDocumentHandler } from '../../../application/knowledge/write-document.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import {
  consentField,
  contentField,
  documentErrors,
  documentMetadata,
  placeFields,
  writesDocument,
} from './document-fields.js';
import { METADATA, WRITES } from './knowledge-notes.js';

export const createDocumentTool = defineTool({
  name: 'create_document',
  version: '1.1.0',
  category: 'knowledge',
  tags: ['documents'],
  summary: 'Create a document in a category.',
  description:
    'Adds a managed document to one of the categories of the project. It is found by get_content, search_architecture and as a resource at once. A document that exists is refused: use update_document.',
  usage: 'Call with the category, a name, the text and explicit_action "CREATE_DOCUMENT".',
  concise: {
    text: 'Create a document in a category.',
    arguments: {
      category_dir: 'Name or folder of a category',
      name: 'Name within the category',
      content: 'The whole text, Markdown',
      explicit_action: 'Only if the user asked for this document',
    },
  },
  examples: [
    {
      title: 'A new guideline',
      arguments: {
        category_dir: 'guidelines',
        name: 'naming-branches',
        content: '# Naming branches\n\nA branch is named after what it changes.\n',
        explicit_action: 'CREATE_DOCUMENT',
      },
    },
  ],
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  explicitAction: 'CREATE_DOCUMENT',
  errors: [...documentErrors, { type: 'AlreadyExistsError', when: 'there is a document of that name' }],
  security: 'Writes one new file within the folder of the category; the write is whole or does not happen.',
  profile: { from: 'workspace', paths: true },
  specification: { answer: METADATA, security: WRITES },
  input: toolArguments({
    ...placeFields,
    content: contentField(),
    explicit_action: consentField('CREATE_DOCUMENT'),
  }),
  output: documentMetadata,
  needs: { documents: WriteDocumentHandler },
  permissions: (place, { documents }) => writesDocument(place, documents),
  run: ({ category_dir, name, content }, { documents }, context) =>
    documents.handle({ action: 'create', category_dir, name, content }, context),
});
