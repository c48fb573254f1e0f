/** Variables by which the loader, a shell, git or an interpreter is told to run or load something. */
const CHOOSES_CODE: readonly RegExp[] = [
  /^(?:LD|DYLD)_/,
  /^GIT_/,
  /^(?:BASH_ENV|ENV|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|IFS|CDPATH|ZDOTDIR|FPATH)$/,
  /^BASH_FUNC_/,
  /^PYTHON(?:PATH|HOME|STARTUP|USERBASE|PLATLIBDIR|BREAKPOINT|INSPECT)$/,
  /^(?:PERL5LIB|PERLLIB|PERL5OPT|PERL5DB|RUBYLIB|RUBYOPT|GEM_HOME|GEM_PATH|BUNDLE_GEMFILE|LUA_(?:PATH|CPATH|INIT)\w*)$/,
  /^(?:NODE_OPTIONS|NODE_PATH|NPM_CONFIG_\w+|npm_config_\w+|DENO_\w+|BUN_\w+)$/,
  /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|PHP_INI_SCAN_DIR|PHPRC|R_PROFILE\w*)$/,
  /^(?:RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTFLAGS|CARGO_\w+|GOFLAGS|GOPATH|GOTOOLDIR|CC|CXX|MAKEFLAGS|CMAKE_\w+)$/,
  /^(?:EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|SSH_ASKPASS|SUDO_ASKPASS|GCONV_PATH|LOCPATH|OPENSSL_CONF|OPENSSL_MODULES|OPENSSL_ENGINES)$/,
];

/** Whether whoever chooses the value chooses what code runs under the name of an allowed program. */
export function choosesCode(variable: string): boolean {
  return CHOOSES_CODE.some((pattern) => pattern.test(variable));
}
