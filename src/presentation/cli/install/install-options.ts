/** What is to be done about the client's own tools, besides adding our server. */
export interface OwnToolOptions {
  /** Switch them off. */
  readonly exclusive?: boolean;
  /** Have it ask our policy before it uses them. */
  readonly hooks?: boolean;
}

export interface InstallOptions extends OwnToolOptions {
  readonly scope?: 'project' | 'user';
  readonly name: string;
  readonly yes?: boolean;
  readonly print?: boolean;
  readonly followLink?: boolean;
}
