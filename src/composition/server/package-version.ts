/** The version in package.json; a test keeps the two equal. */
export const packageVersion = '0.1.0';
