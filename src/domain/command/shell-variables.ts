/**
 * Variables that the shell itself follows, so that setting one would change the meaning of the rest of a
 * command line.
 */
const FOLLOWED =
  /^(PATH|HOME|IFS|CDPATH|ENV|PWD|OLDPWD|SHELLOPTS|GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT|UID|EUID|PPID|PS4|TMOUT|FUNCNEST|BASH.*|LD_.*|GCONV_PATH|LOCPATH)$/;

export function isFollowedByShell(variable: string): boolean {
  return FOLLOWED.test(variable);
}
