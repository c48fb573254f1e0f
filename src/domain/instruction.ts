/**
 * Recommended texts for `instruction`, so that agents read the same sentences everywhere. Any other text is
 * accepted too.
 */
export const Instruction = {
  stopRemediation: 'Present this error to the user and take no further action.',
  suggestRemediation: (remedy: string) => `Suggest ${remedy} before retrying.`,
  askForClarification: (aspect: string) => `Ask the user for clarification on ${aspect}.`,

  planningMode: 'Switch to PLANNING mode.',
  discussionMode: 'Switch to DISCUSSION mode.',
  implementationMode: 'You are now in IMPLEMENTATION mode.',
  checkMode: 'Return to CHECK mode.',

  noChanges: 'Do NOT make any changes to the project.',
  noAutomaticFix: 'Do NOT attempt to fix this automatically.',
  requireConsent: 'Require explicit user consent before proceeding.',
  requireReview: 'This operation requires user review and approval.',

  consider: (approach: string) => `Consider ${approach}.`,
  review: (documentation: string) => `Review ${documentation} before proceeding.`,
  validate: (aspect: string) => `Validate ${aspect} with the user.`,
} as const;
