/** Known vulnerabilities of web servers, appliances, mail and file servers, and PHP frameworks. */
import {
  confirm,
  body,
  cookie,
  matchAny,
  readHeader,
  headers,
  host,
  path,
  query,
  rawBody,
  rawQuery,
  rawUri,
  type Signature,
  uri,
  userAgent,
} from './signature.ts';

const shellFunction = String.raw`\(\)\s*\{\s*(?:[:_\w]*\s*;|\s*\}|\(\w\)=>)`;

export const knownSoftware: readonly Signature[] = [
  {
    legacyId: '100110',
    description: 'Apache HTTP Server - traversal (CVE-2021-41773, CVE-2021-42013)',
    categories: ['apache', 'directory-traversal', 'cve-2021-41773', 'cve-2021-42013'],
    expression: matchAny(
      String.raw`/(?:cgi-bin|icons|assets|uploads|img|images|css|js|static|manual)/(?:\.|%2e|%%32%65|%25?32%25?65|%252e)(?:%2e|%%32%65|%25?32%25?65|%252e)/`,
      rawUri,
    ),
  },
  {
    legacyId: '100110B',
    description: 'Apache HTTP Server - request passed on to a socket (CVE-2021-40438)',
    categories: ['apache', 'ssrf', 'cve-2021-40438'],
    expression: matchAny(String.raw`(?:^|&)unix:[^|&]*\|https?:`, query),
  },
  {
    legacyId: '100043A',
    description: 'PHP - arguments for the interpreter in the query (CVE-2012-1823, CVE-2024-4577)',
    categories: ['php', 'rce', 'cve-2012-1823', 'cve-2024-4577'],
    group: 'Cloudflare Php',
    expression: matchAny(
      String.raw`^(?:-|%2d|%ad|%c2%ad)(?:d|s|c|n|f|r)(?:\s|\+|%20|$|[a-z_.]+(?:=|%3d))|(?:%ad|%c2%ad)d(?:\+|%20)\w+(?:=|%3d)|(?:allow_url_include|auto_prepend_file|cgi\.force_redirect)(?:=|%3d)`,
      rawQuery,
    ),
  },
  {
    legacyId: '100111',
    description: 'PHPUnit - code in a body (CVE-2017-9841)',
    categories: ['php', 'rce', 'cve-2017-9841'],
    group: 'Cloudflare Php',
    expression: matchAny(String.raw`/phpunit/(?:phpunit/)?(?:src/)?util/php/eval-stdin\.php`, path),
  },
  {
    legacyId: '100111B',
    description: 'ThinkPHP - controller that calls functions (CVE-2018-20062, CVE-2022-47945)',
    categories: ['php', 'thinkphp', 'rce', 'cve-2018-20062', 'cve-2022-47945'],
    group: 'Cloudflare Php',
    expression: `(${matchAny(String.raw`(?:^|&)s=[^&]*\\think\\|invokefunction|call_user_func_array&vars|(?:^|&)lang=[^&]*(?:\.\./){2}|_method=__construct`, query)} or ${matchAny(String.raw`_method=__construct|filter\[\]=(?:system|passthru|assert|phpinfo|exec)\b`, body)})`,
  },
  {
    legacyId: '100111C',
    description: 'Laravel - Ignition and queue of errors (CVE-2021-3129)',
    categories: ['php', 'laravel', 'rce', 'cve-2021-3129'],
    group: 'Cloudflare Php',
    expression: `${matchAny(String.raw`/_ignition/(?:execute-solution|scripts|health-check)`, path)} and (http.request.method eq "POST" or ${matchAny('solution', body)})`,
  },
  {
    legacyId: '100111D',
    description: 'PHP - back door in the header User-Agentt (PHP 8.1.0-dev)',
    categories: ['php', 'rce', 'backdoor'],
    group: 'Cloudflare Php',
    expression: matchAny('^zerodium', readHeader('user-agentt')),
  },
  {
    legacyId: '100111E',
    description: 'PHPMailer - arguments for sendmail in an address (CVE-2016-10033)',
    categories: ['php', 'rce', 'cve-2016-10033', 'cve-2016-10045'],
    group: 'Cloudflare Php',
    expression: matchAny(
      String.raw`\\?"[^"&@]{0,80}\s-(?:x/|oq/|c/|oqueuedirectory)[^"&]*\\?"@|\s-oq/\S+\s+-x/`,
      body,
      query,
    ),
  },
  {
    legacyId: '100111F',
    description: 'PHP - FastCGI path split (CVE-2019-11043)',
    categories: ['php', 'nginx', 'rce', 'cve-2019-11043'],
    group: 'Cloudflare Php',
    expression: matchAny(String.raw`\.php/[^?]*(?:%0a|%0d|%250a)`, rawUri),
  },
  {
    legacyId: '100112',
    description:
      'Microsoft Exchange - ProxyShell and ProxyLogon (CVE-2021-34473, CVE-2021-26855, CVE-2022-41040)',
    categories: ['microsoft', 'exchange', 'ssrf', 'cve-2021-34473', 'cve-2021-26855', 'cve-2022-41040'],
    expression: `(${matchAny(String.raw`/autodiscover/autodiscover\.json[^#]*(?:@|powershell|/mapi/|/ews/)`, uri)} or ${matchAny(String.raw`x-(?:anonresource-backend|beresource|anonresource)=[^;]*(?:~|@|\])`, 'http.cookie')})`,
  },
  {
    legacyId: '100112B',
    description: 'Microsoft SharePoint - tool pane and workflow (CVE-2025-53770, CVE-2019-0604)',
    categories: ['microsoft', 'sharepoint', 'rce', 'cve-2025-53770', 'cve-2019-0604'],
    expression: `(${matchAny(String.raw`/_layouts/(?:1[56]/)?toolpane\.aspx`, path)} and http.request.method eq "POST" and ${matchAny(String.raw`/_layouts/(?:1[56]/)?signout\.aspx`, 'http.referer')} or ${matchAny(String.raw`/_layouts/(?:1[56]/)?(?:spinstall\d?\.aspx|picker\.aspx.*expandedwrapper)`, path)})`,
  },
  {
    legacyId: '100112C',
    description: 'Microsoft IIS - short names, WebDAV overflow, alternate streams (CVE-2017-7269)',
    categories: ['microsoft', 'iis', 'cve-2017-7269'],
    expression: `(${matchAny(String.raw`::\$(?:data|index_allocation)|/\*~\d\*|~1\*?/\.aspx`, path)} or http.request.method eq "PROPFIND" and ${matchAny(String.raw`<http://\S{200}`, headers)})`,
  },
  {
    legacyId: '100113',
    description: 'Citrix ADC - traversal, memory and code (CVE-2019-19781, CVE-2023-3519, CVE-2023-4966)',
    categories: ['citrix', 'directory-traversal', 'cve-2019-19781', 'cve-2023-3519', 'cve-2023-4966'],
    expression: `(${matchAny(String.raw`/vpns?/(?:\.\./|[^?]*\.\.)[^?]*vpns?/|/vpn/\.\./vpns/(?:portal|cfg|services)`, path)} or ${matchAny(String.raw`/gwtest/formssso`, path)} and ${matchAny(String.raw`target=.{256}`, query)} or ${matchAny(String.raw`/oauth/idp/\.well-known/openid-configuration$`, path)} and ${matchAny(String.raw`^.{512}`, host)})`,
  },
  {
    legacyId: '100113B',
    description:
      'F5 BIG-IP - traversal and login without a password (CVE-2020-5902, CVE-2022-1388, CVE-2023-46747)',
    categories: ['f5', 'rce', 'cve-2020-5902', 'cve-2022-1388', 'cve-2023-46747'],
    expression: `(${matchAny(String.raw`/tmui/login\.jsp/\.\.;/|/hsqldb;|/tmui/[^?]*\.\.;`, path)} or ${matchAny(String.raw`^/mgmt/(?:tm/util/bash|shared/(?:authn/login|iapp|file-transfer))`, path)} and ${matchAny(String.raw`x-f5-auth-token`, readHeader('connection'))})`,
  },
  {
    legacyId: '100113C',
    description:
      'Fortinet - files and login without a password (CVE-2018-13379, CVE-2022-40684, CVE-2024-55591)',
    categories: [
      'fortinet',
      'lfi',
      'authentication-bypass',
      'cve-2018-13379',
      'cve-2022-40684',
      'cve-2024-55591',
    ],
    expression: `(${matchAny(String.raw`/remote/fgt_lang`, path)} and ${matchAny(String.raw`lang=/?\.\./`, query)} or ${matchAny(String.raw`^/api/v2/cmdb/system/admin`, path)} and ${matchAny(String.raw`report runner|node\.js`, userAgent)} or ${matchAny(String.raw`local_access_token=`, query)})`,
  },
  {
    legacyId: '100113D',
    description:
      'Pulse Secure, Ivanti - files and commands without a login (CVE-2019-11510, CVE-2023-46805, CVE-2024-21887, CVE-2023-35078)',
    categories: [
      'ivanti',
      'lfi',
      'rce',
      'cve-2019-11510',
      'cve-2023-46805',
      'cve-2024-21887',
      'cve-2023-35078',
    ],
    expression: matchAny(
      String.raw`/dana-na/[^?]*\.\./|/api/v1/totp/user-backup-code/\.\./|/api/v1/license/keys-status/[;|\x60&$]|/dana-ws/saml20\.ws|/mifs/aad/api/v2/|/dana/html5acc/guacamole/\.\./`,
      path,
    ),
  },
  {
    legacyId: '100113E',
    description: 'VMware - upload, template and commands (CVE-2021-21972, CVE-2021-22005, CVE-2022-22954)',
    categories: ['vmware', 'rce', 'cve-2021-21972', 'cve-2021-22005', 'cve-2022-22954'],
    expression: `(${matchAny(String.raw`/ui/vropspluginui/rest/services/uploadova|/analytics/telemetry/ph/api/hyper/send|/ceip/[^?]*\.\.|/eam/vib\?id=|/sdk/[^?]*\.\.`, path)} or ${matchAny(String.raw`/catalog-portal/ui/oauth/verify`, path)} and ${matchAny(String.raw`\$\{`, query)})`,
  },
  {
    legacyId: '100113F',
    description:
      'Palo Alto, SonicWall, Zyxel, Cisco - commands and login without a password (CVE-2024-3400, CVE-2024-0012, CVE-2022-30525, CVE-2023-20198)',
    categories: [
      'palo-alto',
      'zyxel',
      'cisco',
      'rce',
      'cve-2024-3400',
      'cve-2024-0012',
      'cve-2022-30525',
      'cve-2023-20198',
    ],
    expression: `(${matchAny(String.raw`sessid=[^;]*(?:\.\./|/\.\.|\$\{ifs|\x60)`, cookie)} or ${matchAny('^off$', readHeader('x-pan-authcheck'))} or ${matchAny(String.raw`/ztp/cgi-bin/handler`, path)} and ${matchAny(String.raw`;|\x60|\$\(`, body)} or ${matchAny(String.raw`/webui_wsma_https?|/%2577ebui_wsma`, path, rawUri)})`,
  },
  {
    legacyId: '100114',
    description: 'MOVEit Transfer - injection into the guest and folder services (CVE-2023-34362)',
    categories: ['moveit', 'sqli', 'cve-2023-34362'],
    expression: `(${matchAny(String.raw`/moveitisapi/moveitisapi\.dll`, path)} and ${matchAny(String.raw`action=m2`, query)} and ${matchAny('^(?:folder_add_by_path|session_setvars)', readHeader('x-silock-transaction'))} or ${matchAny(String.raw`/human2\.aspx$`, path)})`,
  },
  {
    legacyId: '100114B',
    description: 'ConnectWise ScreenConnect - set-up started again (CVE-2024-1709)',
    categories: ['screenconnect', 'authentication-bypass', 'cve-2024-1709'],
    expression: matchAny(String.raw`/setupwizard\.aspx/`, path),
  },
  {
    legacyId: '100114C',
    description:
      'File transfer servers - template, traversal and login holes (CVE-2024-4040, CVE-2023-49103, CVE-2023-0669)',
    categories: ['file-transfer', 'rce', 'lfi', 'cve-2024-4040', 'cve-2023-49103', 'cve-2023-0669'],
    expression: `(${matchAny(String.raw`<include>[^<]*(?:users|sessions|/etc/|\.\./)[^<]*</include>`, query, body)} or ${matchAny(String.raw`/apps/graphapi/vendor/microsoft/microsoft-graph/tests/getphpinfo\.php|/goanywhere/lic/accept|/aspera/faspex/package_relay/relay_package`, path)})`,
  },
  {
    legacyId: '100115',
    description: 'Grafana - files by way of a plugin (CVE-2021-43798)',
    categories: ['grafana', 'lfi', 'cve-2021-43798'],
    expression: matchAny(String.raw`/public/plugins/[^/]+/(?:\.\.|%2e)`, path),
  },
  {
    legacyId: '100115B',
    description: 'Kibana, Elasticsearch - script and console (CVE-2015-1427, CVE-2018-17246, CVE-2019-7609)',
    categories: ['elastic', 'rce', 'lfi', 'cve-2015-1427', 'cve-2018-17246', 'cve-2019-7609'],
    expression: `(${matchAny(String.raw`/api/console/api_server`, path)} and ${matchAny(String.raw`apis=[^&]*\.\./`, query)} or ${matchAny(String.raw`/_search`, path)} and ${matchAny(String.raw`java\.lang\.(?:math|runtime)|getruntime|class\.forname`, body, query)} or ${matchAny(String.raw`\.props\(label\.__proto__`, body)})`,
  },
  {
    legacyId: '100116',
    description:
      'ImageMagick, Ghostscript - picture with commands (CVE-2016-3714, CVE-2018-16509, CVE-2023-36664)',
    categories: ['imagemagick', 'ghostscript', 'rce', 'cve-2016-3714', 'cve-2018-16509', 'cve-2023-36664'],
    expression: matchAny(
      String.raw`push\s+graphic-context[\s\S]*(?:fill|image)[^\n]*(?:url\s*\(|\d\s*['"]?(?:https?|ephemeral|msl|label|text|mvg):)|(?:ephemeral|msl|label|text):/?(?:/|@)[^\n'"]*['"]?\)?\s*pop|<image\s+(?:authenticate|[^>]*xlink:href\s*=\s*["'](?:msl|mvg|text|ephemeral|https?://[^"']*["']?\s*\|))|%pipe%|\(%[a-z]+%[^)]*\)\s*\(?\w?\)?\s*file|/outputfile\s*\(%pipe`,
      rawBody,
    ),
  },
  {
    legacyId: '100116B',
    description: 'ExifTool - metadata with code (CVE-2021-22204)',
    categories: ['exiftool', 'rce', 'cve-2021-22204'],
    expression: matchAny(String.raw`djvu[\s\S]*anta[\s\S]*\(metadata|\(metadata\s+\(\w+\s+"\\c\$\{`, rawBody),
  },
  {
    legacyId: '100117',
    description:
      'Routers and cameras - commands without a login (CVE-2018-10561, CVE-2017-17215, CVE-2021-36260, CVE-2023-1389)',
    categories: ['iot', 'rce', 'cve-2018-10561', 'cve-2017-17215', 'cve-2021-36260', 'cve-2023-1389'],
    group: 'Cloudflare Miscellaneous',
    expression: `(${matchAny(String.raw`/gponform/diag_form\?images/|/ctrlt/deviceupgrade_1|/hnap1/?$|/setup\.cgi\?next_file=|/cgi-bin/luci/;stok=/locale|/goform/set_limitclient_cfg|/boaform/admin/formlogin|/cgi-bin/(?:nobody|supervisor|user)/`, uri)} and ${matchAny(String.raw`[;\x60]|\$\(|wget|curl|busybox`, query, body)} or ${matchAny(String.raw`/sdk/weblanguage$`, path)} and http.request.method eq "PUT")`,
  },
  {
    legacyId: '100118',
    description: 'Ruby on Rails - file named by the Accept header (CVE-2019-5418)',
    categories: ['rails', 'lfi', 'cve-2019-5418'],
    expression: matchAny(String.raw`\.\./.*\{\{`, readHeader('accept')),
  },
  {
    legacyId: '100118B',
    description:
      'Next.js - header that skips the middleware, action with code (CVE-2025-29927, CVE-2025-55182)',
    categories: ['nextjs', 'authentication-bypass', 'rce', 'cve-2025-29927', 'cve-2025-55182'],
    expression: `(${matchAny(String.raw`(?:^|:)(?:src/)?(?:pages/_)?middleware`, readHeader('x-middleware-subrequest'))} or ${matchAny(String.raw`"_response"\s*:\s*\{[\s\S]*"_prefix"|"\$1?:__proto__:then"|:constructor:constructor"`, body)})`,
  },
  {
    legacyId: '100118C',
    description: 'Node.js - vm and view holes (CVE-2022-29078, CVE-2017-16082)',
    categories: ['nodejs', 'rce', 'cve-2022-29078'],
    expression: matchAny(
      String.raw`settings\[view options\]\[(?:outputfunctionname|escapefunction|client|destructuredlocals)\]`,
      query,
      body,
    ),
  },
  {
    legacyId: '100119',
    description: 'Horde, Roundcube, Zimbra - mail front ends (CVE-2016-9920, CVE-2019-9670, CVE-2022-41352)',
    categories: ['webmail', 'xxe', 'rce', 'cve-2016-9920', 'cve-2019-9670'],
    expression: `(${matchAny(String.raw`/autodiscover/autodiscover\.xml$`, path)} and ${matchAny(String.raw`<!(?:entity|doctype)`, body)} or ${matchAny(String.raw`_from=[^&]*\s-(?:oq|x)`, body)} or ${matchAny(String.raw`/service/extension/backup/mboximport`, path)} and http.request.method eq "POST")`,
  },
  {
    legacyId: '100120',
    description: 'Kubernetes, Docker, Consul - control from outside',
    categories: ['cloud', 'rce'],
    expression: `(${matchAny(String.raw`^/v\d\.\d+/containers/(?:create|\w+/(?:exec|start))|^/containers/create`, path)} and http.request.method eq "POST" or ${matchAny(String.raw`^/v1/agent/(?:service|check)/register$`, path)} and ${matchAny(String.raw`"(?:script|args)"\s*:`, body)} or ${matchAny(String.raw`^/(?:api/v1/namespaces/[^/]+/pods/[^/]+/exec|run/[^/]+/[^/]+/[^/]+)$`, path)} and ${matchAny(String.raw`(?:command|cmd)=`, query, body)})`,
  },
  {
    legacyId: '100121',
    description:
      'Langflow, Ray, MLflow - code and files in machine-learning servers (CVE-2025-3248, CVE-2023-48022, CVE-2023-1177)',
    categories: ['ai', 'rce', 'lfi', 'beta', 'cve-2025-3248', 'cve-2023-48022', 'cve-2023-1177'],
    expression: `(${matchAny(String.raw`/api/v1/validate/code$`, path)} and ${matchAny(String.raw`exec\s*\(|__import__|subprocess|os\.system`, body)} or ${matchAny(String.raw`/api/jobs/?$`, path)} and ${matchAny(String.raw`"entrypoint"\s*:\s*"[^"]*(?:curl|wget|bash|/dev/tcp|nc\s)`, body)} or ${matchAny(String.raw`/ajax-api/2\.0/mlflow/(?:model-versions|runs)/create`, path)} and ${matchAny(String.raw`"(?:source|artifact_uri)"\s*:\s*"(?:file:)?/{1,3}(?:etc|proc|root|home)`, body)})`,
  },
  {
    legacyId: '100030',
    description: 'Shellshock - function definition in a header (CVE-2014-6271)',
    categories: ['command-injection', 'unix', 'cve-2014-6271', 'cve-2014-7169'],
    // A cookie ends at the semicolon of the function, so detectors read only a part of it there.
    expression: `(${matchAny(shellFunction, headers)} or ${confirm('command', matchAny(shellFunction, query))})`,
  },
];
