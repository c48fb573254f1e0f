/** How to handle the client's own tools, in addition to adding our server. */
export interface OwnToolOptions {
  /** Switch them off. */
  readonly exclusive?: boolean;
  /** Have the client ask our policy before it uses them. */
  readonly hooks?: boolean;
}

export interface InstallOptions extends OwnToolOptions {
  readonly scope?: 'project' | 'user';
  readonly name: string;
  readonly yes?: boolean;
  readonly print?: boolean;
  readonly followLink?: boolean;
}
