// How a tool is written: ../README.md
import * as Type from 'typebox';
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

export const updateDocumentTool = defineTool({
  name: 'update_document',
  version: '1.1.0',
  category: 'knowledge',
  tags: ['documents'],
  summary: 'Replace the text of a document.',
  description:
    'Replaces a document of a category as a whole. Pass the content hash you read as if_match: if somebody changed the document since, nothing is written and you are told.',
  usage:
    'Read the document, take its content_hash from get_content with list_only or from an earlier answer, then call with the whole new text, if_match and explicit_action "UPDATE_DOCUMENT".',
  concise: {
    text: 'Replace the text of a document.',
    arguments: {
      category_dir: 'Name or folder of a category',
      name: 'Name within the category',
      content: 'The whole text, Markdown',
      if_match: 'content_hash of the text you mean to replace',
      explicit_action: 'Only if the user asked for this change',
    },
  },
  examples: [
    {
      title: 'New text for a guideline',
      arguments: {
        category_dir: 'guidelines',
        name: 'writing-tools',
        content: '# Writing tools\n\nA tool is one file.\n',
        explicit_action: 'UPDATE_DOCUMENT',
      },
    },
  ],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  explicitAction: 'UPDATE_DOCUMENT',
  errors: [...documentErrors, { type: 'ConflictError', when: 'the content is not what if_match names' }],
  security: 'Replaces one file within the folder of the category; the write is whole or does not happen.',
  profile: { from: 'workspace', paths: true },
  specification: {
    answer: METADATA,
    security: {
      ...WRITES,
      changes: `${WRITES.changes} Pass \`if_match\`, so that nobody's newer text is overwritten.`,
    },
  },
  input: toolArguments({
    ...placeFields,
    content: contentField(),
    if_match: Type.Optional(
      Type.String({
        description: 'The content_hash of the text you mean to replace; without it the last writer wins.',
        minLength: 1,
        maxLength: 100,
        examples: ['2c26b46b68ffc68ff99b453c1d304134'],
      }),
    ),
    explicit_action: consentField('UPDATE_DOCUMENT'),
  }),
  output: documentMetadata,
  needs: { documents: WriteDocumentHandler },
  permissions: (place, { documents }) => writesDocument(place, documents),
  run: ({ category_dir, name, content, if_match }, { documents }, context) => {
    const guarded = if_match === undefined ? {} : { if_match };
    return documents.handle({ action: 'update', category_dir, name, content, ...guarded }, context);
  },
});
