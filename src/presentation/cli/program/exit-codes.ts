/** Every exit code. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'the call failed or problems were found'],
  [2, 'usage'],
  [3, 'configuration or policy'],
  [4, 'something missing on the machine'],
  [130, 'interrupted'],
];
