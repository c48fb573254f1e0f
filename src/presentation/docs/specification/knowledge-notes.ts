import type { SecurityNotes, ToolSpecificationNotes } from '../../../application/tool/tool-definition.js';

const READS: SecurityNotes = {
  files:
    "Reads the documents of the project's categories and nothing else; `..` and links that lead out of a category's folder are refused. Choose the folders in castellan.yaml with that in mind.",
  network: 'None.',
  execution: 'None: documents are parsed, never run.',
  changes: 'None.',
  secrets:
    'Whoever may call it reads every document of the categories: keep no secrets there. `denied_paths` of the policy holds for documents, too.',
};

const WRITES: SecurityNotes = {
  ...READS,
  files:
    "Writes one file within the folder of the category; `..` and links that lead out of it are refused, and the policy's `allowed_paths` and `denied_paths` for this tool are asked first.",
  changes:
    'The write is whole or does not happen. The literal `explicit_action` states that the user asked for it; set `consent: ask` to have the client ask them. Keep the documents under version control.',
  secrets: 'What is written can be read by every caller of get_content: write no secrets.',
};

const QUOTE = 'MongoDB was considered and rejected.';
const PROPOSED = 'Use MongoDB for the order history.';
const ADR = 'architecture://adr/0007-one-database';
const NEXT = { cursor: 'YWZ0ZXI6MTA=' };
const METADATA = {
  category: 'guidelines',
  name: 'error-handling.md',
  path: 'docs/guidelines/error-handling.md',
  uri: 'architecture://guidelines/error-handling',
  title: 'Error handling',
  size: 1024,
  modified: '2026-03-14T09:26:53.589Z',
  content_hash: '2c26b46b68ffc68ff99b453c1d304134',
};

export const KNOWLEDGE_NOTES: Readonly<Record<string, ToolSpecificationNotes>> = {
  check_adr_alignment: {
    answer: {
      related_adrs: [
        {
          uri: ADR,
          title: 'One database',
          adr_id: 'ADR-0007',
          status: 'accepted',
          alignment: 'conflicts',
          status_inferred: false,
          reason: 'The proposal chooses an option that this record lists as rejected.',
          source: 'rules',
          decision: `## Decision\n\nWe use PostgreSQL. ${QUOTE}`,
          line: 14,
          anchor: 'decision',
          quote: QUOTE,
          proposal_quote: PROPOSED,
        },
      ],
      conflicts: [
        {
          adr_uri: ADR,
          conflict_description: `ADR-0007: The proposal chooses what this decision rejects. It says: "${QUOTE}" The proposal says: "${PROPOSED}"`,
          quote: QUOTE,
          proposal_quote: PROPOSED,
          line: 14,
        },
      ],
      suggestions: ['Supersede ADR-0007, or use PostgreSQL.'],
    },
    security: READS,
  },
  create_document: { answer: METADATA, security: WRITES },
  delete_document: {
    answer: METADATA,
    security: {
      ...WRITES,
      files:
        'Removes one file within the folder of the category, never a folder; `..` and links that lead out of it are refused.',
      changes:
        'The document is gone for good; only version control brings it back. The literal `explicit_action` states that the user asked for it; set `consent: ask` to have the client ask them.',
      secrets: 'None are touched.',
    },
  },
  get_content: {
    arguments: NEXT,
    answer: '# Error handling\n\nReturn expected failures; throw only bugs.\n',
    security: READS,
  },
  search_architecture: {
    arguments: NEXT,
    answer: {
      results: [
        {
          uri: 'architecture://patterns/circuit-breaker',
          title: 'Circuit breaker',
          resource_type: 'patterns',
          relevance_score: 0.93,
          excerpt: 'After five failures the breaker opens for thirty seconds.',
          heading: 'Circuit breaker > Thresholds',
          line: 21,
          anchor: 'thresholds',
          status: 'accepted',
        },
      ],
      total_matches: 4,
    },
    security: READS,
  },
  update_document: {
    answer: METADATA,
    security: {
      ...WRITES,
      changes: `${WRITES.changes} Pass \`if_match\`, so that nobody's newer text is overwritten.`,
    },
  },
  validate_against_pattern: {
    answer: {
      compliant: false,
      verdict: 'violations',
      pattern: 'Failure as a value',
      language: 'typescript',
      violations: [
        {
          rule: 'no-throw',
          description: 'Return a Result instead of throwing.',
          severity: 'error',
          line: 2,
          column: 20,
          source: 'rule',
        },
      ],
      suggestions: ['Return Result.failure("odd") instead.'],
      rules_checked: 3,
      rules_unproved: ['no-console'],
      rules_disabled: [{ rule: 'no-any', reason: 'It has no form for python.' }],
    },
    security: {
      ...READS,
      execution:
        'None: the code is parsed and matched, never run; expressions take linear time. A rule comes from a document of the project: whoever may change the document decides what is checked.',
    },
  },
};
