/**
 * Paths that leave their directory or name a file that no visitor should request. A value counts as a path only as a
 * whole: "see ../README for details" is a sentence.
 */
import { type Detector, type DetectorReading, pickSurer } from '../finding.ts';

/**
 * One step up in any spelling that servers are known to have accepted: including broken escapes and doubled separators.
 */
const separator = String.raw`(?:[/\\]|%[/\\]|%(?:25){0,3}(?:2f|5c|c0%af|c1%9c|c0%qf|c1%1c|c1%8s|c1%pc|[0-9a-z]{2})|%u[0-9a-f]{4}|0x(?:2f|5c)|[\x80-\xff]{1,6}[/\\]?|\?|;[/\\])`;
const dot = String.raw`(?:\.|%2e|0x2e|%u002e|%c0%ae|%c0%2e)`;
const upward = new RegExp(String.raw`${dot}{2,4}(?:${separator}){1,8}`, 'giy');
const firstUp = new RegExp(String.raw`(?:^|[/\\=:;,?"'(\s|\0]|%)${dot}{2,4}${separator}`, 'i');

/** Files that contain secrets or prove that any file can be read. */
const secretFile =
  /(?:^|[/\\:]|0x2f|0x5c)(?:etc[/\\]+(?:passwd|shadow|group|hosts|issue|motd|hostname|fstab|mtab|crontab|resolv\.conf|ssh|ssl|apache2?|httpd|nginx|mysql|php|my\.cnf|sudoers|security|network|vsftpd|proftpd|samba|rc\.|init|inittab|profile|redhat-release|os-release|environment|kubernetes|rancher|docker|openvpn|wireguard|ipsec\.d|letsencrypt|pki|krb5\.keytab|ppp|gshadow)|proc[/\\]+(?:self|version|cpuinfo|cmdline|net|mounts|\d+)|boot\.ini|win\.ini|windows[/\\]+(?:system32|system\.ini|win\.ini|repair|php\.ini|my\.ini|debug|panther)|winnt[/\\]|system32[/\\]|autoexec\.bat|web-inf[/\\]|meta-inf[/\\]|web\.config|\.htpasswd|\.htaccess|\.git[/\\]|\.svn[/\\]|\.env(?:$|\.)|\.ssh[/\\]|\.bash_history|\.aws[/\\]|id_rsa|wp-config\.php|configuration\.php|localsettings\.php|settings\.py|database\.yml|var[/\\]+(?:log|www|mail|lib[/\\]+mysql)[/\\]?|usr[/\\]+(?:local[/\\]+)?(?:etc|apache|lib|share)|apache2?[/\\]+(?:logs?|conf)|xampp[/\\]|inetpub[/\\]|(?:access|error)[_.-]?log|php\.ini|my\.(?:cnf|ini)|httpd\.conf|sam$|unattend(?:ed)?\.(?:xml|txt)|docker\.sock|docker-compose\.yml|\.kube[/\\]|kubernetes\.io|authorized_keys|global\.asa|desktop\.ini|ntuser\.dat|pagefile\.sys|private\.key|server\.key)/i;

/** Values longer than this are texts. */
const pathCharactersMax = 2_048;

export const detectPath: Detector = (text) => {
  if (text.length > pathCharactersMax) return readInText(text);
  const isTraversal = firstUp.test(text);
  if (!isTraversal && !/[/\\:.]|0x2f/.test(text)) return undefined;
  if ((text.match(wordPair)?.length ?? 0) > 1) return readInText(text);
  const repeated = readRepeatedUnit(text);
  if (repeated !== undefined) return repeated;
  return pickSurer(
    isTraversal ? readTraversal(text) : undefined,
    pickSurer(readSecretFile(text), readWrapper(text)),
  );
};

/** The file, whatever characters precede it. */
const knownFile =
  /(?:etc[/\\]+(?:passwd|shadow|group|hosts|issue|motd)|boot\.ini|win(?:dows)?[/\\]+win\.ini|winnt[/\\]+system32|windows[/\\]+system32)/i;
const unitCharactersMax = 24;
const repeatsMin = 3;

/** A short unit repeated, then a known file: whatever the unit is, some server accepts it as a step up. */
function readRepeatedUnit(text: string): DetectorReading | undefined {
  const at = text.search(knownFile);
  if (at < 2 * repeatsMin) return undefined;
  const before = text.slice(Math.max(0, at - unitCharactersMax * repeatsMin), at);
  for (let length = 2; length <= unitCharactersMax && length * repeatsMin <= before.length; length++) {
    const unit = before.slice(-length);
    if (/[^\w\s-]/.test(unit) && before.endsWith(unit.repeat(repeatsMin))) {
      const start = Math.max(0, at - length * repeatsMin);
      return {
        confidence: 94,
        why: 'a unit that is repeated before a file of the system',
        start,
        end: text.length,
      };
    }
  }
  return undefined;
}

const wordPair = /(?<![a-z])[a-z]{2,}\s+[a-z]{2,}/gi;

/**
 * Steps up to a well-known file, and addresses that read one: these do not occur in sentences. No match starts inside
 * of other steps, and text between two of them belongs to the first: a long row is read once.
 */
const inText =
  /(?<!\w|\.[/\\]{0,6})[/\\]{0,2}\.{2,4}[/\\]{1,6}(?:\.{2,4}[/\\]{1,6})+(?:etc[/\\]+(?:passwd|shadow|hosts|group|issue)|proc[/\\]+self|boot\.ini|win(?:dows|nt)[/\\])|\bphp:\/\/(?:filter|input)|\bexpect:\/\/\w|\bfile:\/{1,3}(?:etc[/\\](?:passwd|shadow)|proc[/\\]self|[a-z]:[/\\]win(?:dows|nt))/i;

function readInText(text: string): DetectorReading | undefined {
  if (!text.includes('..') && !text.includes(':/')) return undefined;
  const found = inText.exec(text);
  if (found === null) return undefined;
  const { index: start } = found;
  return { confidence: 90, why: 'the path of a file of the system', start, end: start + found[0].length };
}

function readTraversal(text: string): DetectorReading | undefined {
  const first = firstUp.exec(text)!;
  // The steps start with their dots, after the character that `firstUp` requires before them.
  const start = first.index + Math.max(0, first[0].search(/\.|%2e|0x2e|%u002e|%c0/i));
  const { steps, end, isOdd, isEllipsis } = countSteps(text, start);
  const rest = text.slice(end);
  const create = (confidence: number, why: string): DetectorReading => ({
    confidence,
    why,
    start,
    end: text.length,
  });
  const isSecret = secretFile.test(`/${rest}`) || secretFile.test(text);
  if (isSecret) return create(96, `${countText(steps)} to a file of the system`);
  // "and so on.../please wait.../done"
  if (isEllipsis && !isSecret) return undefined;
  if (isOdd && steps >= 1) return create(90, `${countText(steps)} in a spelling that hides them`);
  // Source code imports its other files like this.
  if (/\s|["'(]$/.test(text.slice(0, start)) && isModule.test(rest)) return undefined;
  if (steps >= 4) return create(93, countText(steps));
  if (steps === 3) return create(rest === '' || !/^[\w-]+\/[\w./-]+$/.test(rest) ? 88 : 82, countText(steps));
  // Relative addresses of pages go one or two steps up.
  if (/%00|\0/.test(text)) return create(90, `${countText(steps)} and a null`);
  if (
    steps === 2 &&
    !/\.(?:png|jpe?g|gif|svg|css|js|ts|tsx|jsx|mjs|vue|html?|json|md|webp|woff2?|scss|less|pdf|map)(?:[?#]|$)/i.test(
      rest,
    )
  ) {
    return create(/^[/\\]|^\.\.[/\\]/.test(text) && rest !== '' ? 66 : 55, countText(steps));
  }
  return undefined;
}

/** The rest of a path, up to the quote after it. */
const isModule = /^[\w@./*-]{0,200}["')\s]/;

function countSteps(
  text: string,
  from: number,
): { readonly steps: number; readonly end: number; readonly isOdd: boolean; readonly isEllipsis: boolean } {
  let steps = 0;
  let isOdd = false;
  let isEllipsis = true;
  upward.lastIndex = from;
  let end = from;
  while (steps < 64) {
    const found = upward.exec(text);
    if (found === null) break;
    steps++;
    end = upward.lastIndex;
    isEllipsis &&= /^\.{3}[/\\]$/.test(found[0]);
    if (!/^\.\.[/\\]+$/.test(found[0]))
      isOdd ||= /%|0x|[\x80-\xff]|\.{3}|;|^[^/\\]*[/\\][^/\\]*[/\\][^\\]*\\/i.test(found[0]);
  }
  return { steps, end, isOdd, isEllipsis: isEllipsis && steps < 3 };
}

function countText(steps: number): string {
  return steps === 1 ? 'a step out of the directory' : `${steps} steps out of the directory`;
}

/** The file by its absolute name, or as the path of the request. */
const absolute = /^["'\s]*(?:file:\/*|[a-z]:[/\\]+|~)?[/\\]{0,8}(?:[\w.$?-]{1,80}[/\\]+){0,8}/i;

function readSecretFile(written: string): DetectorReading | undefined {
  if (/\s\w+\s/.test(written)) return undefined;
  // `/./etc/./passwd`
  const text = written.replaceAll(/(?<=[/\\])\.[/\\]/g, '');
  const found = secretFile.exec(text);
  if (found === null) return undefined;
  const prefix = absolute.exec(text)![0];
  const name = found[0].toLowerCase();
  const create = (confidence: number): DetectorReading => ({
    confidence,
    why: 'a file of the system or of the application',
    start: found.index,
    end: Math.min(text.length, found.index + name.length + 40),
  });
  const isRooted = /^["'\s]*(?:file:|[a-z]:[/\\]|[/\\]|~)/i.test(text);
  if (prefix.length < found.index) return undefined;
  if (/web-inf|meta-inf|kubernetes\.io|docker\.sock/.test(name)) return create(90);
  if (/passwd|shadow|proc[/\\]+(?:self|\d)|boot\.ini|win\.ini/.test(name) || certain.test(text))
    return create(isRooted || (found.index === 0 && !/\s/.test(text.trim())) ? 92 : 60);
  // Other files in such directories are also mentioned by people who run servers.
  if (/id_rsa|\.ssh|\.bash_history|\.aws|\.kube|authorized_keys|winnt|system32|windows|autoexec/.test(name))
    return create(isRooted ? 88 : 60);
  if (keyDirectory.test(text)) return create(isRooted ? 88 : 60);
  if (/\.env|wp-config|localsettings|\.git[/\\]|\.svn|\.htpasswd|private\.key/.test(name))
    return create(isRooted || found.index === 0 ? 82 : 55);
  if (/^["'\s]*\/var\/log\/[\w./-]+[._-]log$/.test(text)) return create(82);
  return create(isRooted ? 60 : 50);
}

/** System directories whose files are keys, or include keys. */
const keyDirectory =
  /^["'\s]*[/\\]+etc[/\\]+(?:kubernetes|rancher|docker|openvpn|wireguard|ipsec\.d|letsencrypt|pki|ssl[/\\]+private|krb5\.keytab|ppp|shadow-?|gshadow-?)(?:[/\\]|$)/i;

/** Files that are requested to prove that any file can be read. */
const certain =
  /^["'\s]*[.\\/]{5,}(?:etc|proc|boot\.ini|win(?:dows|nt))\b|^["'\s]*[/\\]+etc[/\\]+(?:passwd|shadow|group|hosts|issue|motd|sudoers|fstab)\b[^\s]{0,8}$/i;

/** Addresses that read or run files instead of loading a page. */
const wrapper =
  /^["'\s]*(?:(php:\/\/(?:filter|input|fd|memory|temp|stdin))|(expect:\/\/)|((?:phar|zip|glob|compress\.zlib|zlib|ogg|rar):\/\/)|(data:(?:\/\/)?(?:text\/plain|application\/x-httpd-php)?;?base64,(?:PD9|PHN|PD8))|(file:\/\/[^\s]*))/i;

/** A script of another site, followed by a character that cuts off what the application appends. */
const remoteScript =
  /^["'\s]*(?:(?:https?|ftps?):)?[/\\]{2}[^\s?]{1,200}\.(?:txt|php\d?|phtml|inc|jsp|asp|aspx|cgi|pl|gif|jpg|png)(?:\?{1,3}$|%00|\0|\?(?:cmd|c|exec|command)=)|^["'\s]*(?:ftp:[/\\]{2}|\\\\)[^\s?]{1,200}\.(?:php\d?|phtml|jsp|asp|aspx)\b/i;

function readWrapper(text: string): DetectorReading | undefined {
  if (remoteScript.test(text))
    return { confidence: 86, why: 'a script of another site', start: 0, end: Math.min(text.length, 100) };
  const found = wrapper.exec(text);
  if (found === null) return undefined;
  const [whole, php, expect, archive, data, file] = found;
  // "file:///C:/report.pdf doesn't open"
  if (file !== undefined && /^\s+[a-z']{2,}\s+[a-z']{2,}/i.test(text.slice(whole.length))) return undefined;
  const why = 'an address that reads or runs a file';
  const end = Math.min(text.length, whole.length + 60);
  if (php !== undefined || expect !== undefined || data !== undefined)
    return { confidence: 95, why, start: 0, end };
  if (archive !== undefined) return { confidence: 86, why, start: 0, end };
  return file === undefined
    ? undefined
    : { confidence: /^file:\/\/\/?[\w.]*[/\\]/i.test(file) ? 84 : 60, why, start: 0, end };
}
