/**
 * Tools that search for vulnerabilities, and bots that identify themselves. Ordinary tools and libraries are allowed.
 */
import { matchAny, headers, path, hasHeader, query, type Signature, userAgent } from './signature.ts';

export const scanners: readonly Signature[] = [
  {
    legacyId: '100035',
    description: 'Scanner - SQL injection and exploitation tools',
    categories: ['scanner', 'user-agent'],
    expression: matchAny(
      String.raw`\b(?:sqlmap|havij|sqlninja|bsqlbf|pangolin|commix|tplmap|xsser|dalfox|xsstrike|nosqlmap|jsql|whatwaf|wafw00f|metasploit|absinthe|bbqsql|fimap|jbrofuzz|wfuzz)\b`,
      userAgent,
    ),
  },
  {
    legacyId: '100035B',
    description: 'Scanner - vulnerability scanners',
    categories: ['scanner', 'user-agent'],
    expression: matchAny(
      String.raw`\b(?:nikto|nessus|openvas|acunetix|netsparker|invicti|appscan|webinspect|w3af|arachni|skipfish|vega/|nuclei|zaproxy|owasp[_ ]zap|burp(?:suite|collaborator)?/|paros/|golismero|grendel-scan|webshag|n-stealth|cgichk|core-project|fhscan|jaeles|xray/|qualys|rapid7|detectify|wapiti|whisker|uniscan|brutus/)`,
      userAgent,
    ),
  },
  {
    legacyId: '100035C',
    description: 'Scanner - directory and password guessers',
    categories: ['scanner', 'user-agent'],
    expression: matchAny(
      String.raw`\b(?:dirbuster|dirb\b|gobuster|ffuf|fuzz faster|feroxbuster|dirsearch|wpscan|joomscan|droopescan|cmsmap|whatweb|blindelephant|hydra\b|medusa\b|patator|opendoor|rustbuster|kiterunner|gospider|hakrawler|photon/|masscan|zmeu|morfeus|jorgee|mozilla/5\.0 sf/|dfind|libwhisker|webdav scanner|pmafind|toata dragostea)`,
      userAgent,
    ),
  },
  {
    legacyId: '100035D',
    description: 'Scanner - port and service scanners',
    categories: ['scanner', 'user-agent'],
    action: 'managed_challenge',
    expression: matchAny(
      String.raw`\b(?:nmap scripting engine|zgrab|censysinspect|shodan|netcraft ssl|leakix|l9explore|l9tcpid|internetmeasurement|expanse, a palo alto|project25499|netsystemsresearch)`,
      userAgent,
    ),
  },
  {
    legacyId: '100035U',
    description: 'User agent with code in it',
    categories: ['user-agent'],
    expression: matchAny(
      String.raw`<\?|<script|\beval\s*\(|base64_decode\s*\(|\bphpinfo\s*\(|\bsystem\s*\(\s*['"$]|\|\s*(?:ba)?sh\s*$`,
      userAgent,
    ),
  },
  {
    legacyId: '100035E',
    description: 'Robot - libraries that crawlers without manners use',
    categories: ['bot', 'user-agent'],
    action: 'managed_challenge',
    enabled: false,
    expression: matchAny(
      String.raw`^(?:python-requests|python-urllib|libwww-perl|lwp::|go-http-client|java/|scrapy|wget|mechanize|phantomjs|httrack|webzip|teleport|sitesucker|webcopier)`,
      userAgent,
    ),
  },
  {
    legacyId: '100035F',
    description: 'Robot - e-mail collectors and content thieves',
    categories: ['bot', 'user-agent'],
    expression: matchAny(
      String.raw`\b(?:emailsiphon|emailwolf|emailcollector|extractorpro|cherrypicker|webbandit|emailmagnet|websucker|harvest(?:man)?/|contentsmartz|datacha0s|autoemailspider|missigua locator|wells search|murzillo)`,
      userAgent,
    ),
  },
  {
    legacyId: '100036',
    description: 'Scanner - headers that scanners add',
    categories: ['scanner'],
    expression: `(${['acunetix-product', 'acunetix-scanning-agreement', 'x-scanner', 'x-wipp'].map(hasHeader).join(' or ')} or ${matchAny(String.raw`^(?:myvar=1234|netsparker|acunetix_wvs_security_test|appscanheader)`, headers)})`,
  },
  {
    legacyId: '100036B',
    description: 'Scanner - pages and arguments that scanners ask for to see what is missing',
    categories: ['scanner'],
    expression: matchAny(
      String.raw`/(?:acunetix-wvs-test|acunetix_test|nmaplowercheck\d|nmapuppercheck\d|nice(?:%20| )ports?,|trinity\.txt\.bak|sqlmapout|nessus\d|nikto-test|appscan_fingerprint|w00tw00t\.at|muieblackcat|hnap1\b)|acunetix_wvs|netsparker\(0x|\bxsstest\b.*<`,
      path,
      query,
    ),
  },
  {
    legacyId: '100037',
    description: 'Robot - search engine that is none',
    categories: ['bot', 'user-agent'],
    action: 'managed_challenge',
    enabled: false,
    expression: `${matchAny(String.raw`\b(?:googlebot|bingbot|yandexbot|baiduspider)\b`, userAgent)} and not cf.client.bot`,
  },
];
