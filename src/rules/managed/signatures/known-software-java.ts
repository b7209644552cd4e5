/** Known vulnerabilities of Struts, Spring, Confluence and other software written in Java. */
import {
  confirm,
  cookie,
  body,
  matchAny,
  readHeader,
  headers,
  path,
  hasHeader,
  query,
  rawBody,
  rawUri,
  type Signature,
} from './signature.ts';

const ognl = String.raw`(?:#_memberaccess|#context\b|#_ognlutil|@ognl\.ognlcontext|@java\.lang\.\w+@|#application\b|#parameters\b|#attr\b|#request\[|#session\[|memberaccess|allowstaticmethodaccess|\(#\w+\s*=|\bxwork\.methodaccessor)`;

/** `${` as Java loggers read it. */
const open = String.raw`(?:\$|\\u0024)(?:\{|\\u007b)`;
const lookup = String.raw`(?:lower|upper|env|sys|java|main|date|ctx|log4j|base64|k8s|docker|spring|bundle|web|map|sd|marker|event|hostname|\w{0,8}:)`;

export const knownSoftwareJava: readonly Signature[] = [
  {
    legacyId: '100001',
    id: '23ee7cebe6e8443e99ecf932ab579455',
    description: 'Apache Struts - open redirect (CVE-2013-2248)',
    categories: ['apache-struts', 'open-redirect', 'cve-2013-2248'],
    expression: matchAny(String.raw`(?:^|&)redirect(?:action)?:(?:https?:|//)`, query),
  },
  {
    legacyId: '100002',
    description: 'Apache Struts - expression in a redirect or an action (CVE-2013-2251, CVE-2016-3081)',
    categories: ['apache-struts', 'rce', 'cve-2013-2251', 'cve-2016-3081'],
    expression: matchAny(
      String.raw`(?:^|&)(?:redirect|redirectaction|action|method):[^&]*(?:[$%]\{|#\w+\s*=|@\w+\.|${ognl})`,
      query,
      body,
    ),
  },
  {
    legacyId: '100003',
    description: 'Apache Struts - expression in the content type or length (CVE-2017-5638)',
    categories: ['apache-struts', 'rce', 'cve-2017-5638'],
    expression: matchAny(
      String.raw`[%$]\{.{0,200}(?:#|@|\.getwriter|multipart/form-data)|${ognl}`,
      readHeader('content-type'),
      readHeader('content-length'),
      readHeader('content-disposition'),
    ),
  },
  {
    legacyId: '100004',
    description: 'Apache Struts - OGNL in arguments or the path (CVE-2018-11776, CVE-2020-17530)',
    categories: ['apache-struts', 'rce', 'ognl', 'cve-2018-11776', 'cve-2020-17530'],
    expression: matchAny(
      String.raw`[%$]\{[^}]{0,400}${ognl}|\(#[\w.]+\s*=\s*(?:@|new\s|#)|[%$]\{\s*\(?\s*#[a-z_.]{3}`,
      path,
      query,
      body,
    ),
  },
  {
    legacyId: '100004B',
    description: 'Apache Struts - upload that leaves its folder (CVE-2023-50164, CVE-2024-53677)',
    categories: ['apache-struts', 'upload', 'cve-2023-50164', 'cve-2024-53677'],
    expression: matchAny(
      String.raw`(?:name=\\?"?|^|&)(?:\w*filename|top\.\w*filename|uploadfilename(?:\[\d+\])?)\\?"?(?:=|[^&]{0,40}\r\n\r\n)[^&\r\n]{0,80}\.\.[/\\]`,
      body,
      query,
    ),
  },
  {
    legacyId: '100005',
    description: 'Apache Struts - class loader by a parameter (CVE-2014-0094, CVE-2022-22965)',
    categories: ['apache-struts', 'spring', 'rce', 'cve-2014-0094', 'cve-2022-22965'],
    expression: matchAny(
      String.raw`(?:^|&|name=\\?")class(?:\.|\[['"]?)(?:module(?:\.|['"\]\[]+))?classloader\b`,
      query,
      body,
    ),
  },
  {
    legacyId: '100006',
    description: 'Spring Cloud Function - expression in a routing header (CVE-2022-22963)',
    categories: ['spring', 'rce', 'cve-2022-22963'],
    expression: hasHeader('spring.cloud.function.routing-expression'),
  },
  {
    legacyId: '100006B',
    description: 'Spring Cloud Gateway - expression in a route (CVE-2022-22947)',
    categories: ['spring', 'rce', 'cve-2022-22947'],
    expression: `${matchAny(String.raw`/actuator/gateway/(?:routes|refresh)`, path)} and not http.request.method eq "GET"`,
  },
  {
    legacyId: '100006C',
    description: 'Spring Data, Spring Boot - expression in a property path (CVE-2017-8046, CVE-2018-1273)',
    categories: ['spring', 'rce', 'cve-2017-8046', 'cve-2018-1273'],
    expression: matchAny(
      String.raw`\bt\(java\.lang\.\w+\)|#this\.getclass\(\)|\[#\w+\.getclass|new\s+java\.lang\.processbuilder`,
      body,
    ),
  },
  {
    legacyId: '100007',
    description: 'Atlassian Confluence - expression in the path (CVE-2022-26134, CVE-2021-26084)',
    categories: ['atlassian', 'confluence', 'rce', 'ognl', 'cve-2022-26134', 'cve-2021-26084'],
    expression: `(${matchAny(String.raw`\$\{[^}]*(?:@[\w.]+@|#\w+|class\.forname|getresponse|new\s+javax)`, path)} or ${matchAny(String.raw`(?:^|&)(?:querystring|linkcreation)=[^&]*(?:\\u0027|')\s*[#{]`, body)})`,
  },
  {
    legacyId: '100007B',
    description:
      'Atlassian Confluence - set-up started again, template with code (CVE-2023-22515, CVE-2023-22518, CVE-2023-22527)',
    categories: [
      'atlassian',
      'confluence',
      'authentication-bypass',
      'cve-2023-22515',
      'cve-2023-22518',
      'cve-2023-22527',
    ],
    expression: `(${matchAny(String.raw`bootstrapstatusprovider\.applicationconfig\.setupcomplete`, query, body)} or ${matchAny(String.raw`/json/setup-restore(?:-local|-progress)?\.action|/setup/setupadministrator(?:-start)?\.action`, path)} or (${matchAny(String.raw`/template/aui/text-inline\.vm$`, path)} and http.request.method eq "POST"))`,
  },
  {
    legacyId: '100007C',
    description:
      'Atlassian Jira, Bitbucket - template, proxy and command holes (CVE-2019-11581, CVE-2019-8451, CVE-2022-36804)',
    categories: ['atlassian', 'jira', 'rce', 'ssrf', 'cve-2019-11581', 'cve-2019-8451', 'cve-2022-36804'],
    expression: `(${matchAny(String.raw`/secure/contactadministrators\.jspa$`, path)} and ${matchAny(String.raw`\$\w+\.getclass|\$i18n\.getclass`, body)} or ${matchAny(String.raw`/plugins/servlet/gadgets/makerequest|/plugins/servlet/oauth/users/icon-uri`, path)} and ${matchAny(String.raw`(?:url|consumeruri)=https?://[^&]*@|consumeruri=https?://`, query)} or ${matchAny(String.raw`/rest/api/(?:latest|1\.0)/projects/[^/]+/repos/[^/]+/archive`, path)} and ${matchAny(String.raw`(?:prefix|at|path|filename)=[^&]*(?:%00|\x00|--exec)`, query)})`,
  },
  {
    legacyId: '100031',
    description: 'Oracle WebLogic - object or console hole (CVE-2017-10271, CVE-2019-2725, CVE-2020-14882)',
    categories: ['oracle', 'weblogic', 'rce', 'cve-2017-10271', 'cve-2019-2725', 'cve-2020-14882'],
    expression: matchAny(
      String.raw`/wls-wsat/(?:coordinatorporttype|registration\w+|participantporttype)|/_async/asyncresponseservice|/console/(?:images|css)/.*\.\.[/\\;].*console\.portal|/console/.*(?:%252e|%2e%2e|\.\.)[^?]*console\.portal`,
      path,
      rawUri,
    ),
  },
  {
    legacyId: '100031B',
    description:
      'Apache OFBiz, ActiveMQ, Solr, Druid - remote code (CVE-2023-51467, CVE-2024-38856, CVE-2023-46604, CVE-2019-0193, CVE-2021-25646)',
    categories: [
      'apache',
      'rce',
      'cve-2023-51467',
      'cve-2024-38856',
      'cve-2023-46604',
      'cve-2019-0193',
      'cve-2021-25646',
    ],
    expression: `(${matchAny(String.raw`/webtools/control/(?:programexport|xmlrpc|main/programexport|forgotpassword/\w+|showdatetime/\w+)`, path)} or ${matchAny(String.raw`(?:^|&)groovyprogram=|requirepasswordchange=y&`, query, body)} or ${matchAny(String.raw`classpathxmlapplicationcontext\W{0,20}http`, body)} or ${matchAny(String.raw`"params\.resource\.loader\.enabled"\s*:\s*"?true|dataconfig=.*<script|"type"\s*:\s*"javascript"[^}]*"function"\s*:\s*"[^"]*java\.lang`, body)})`,
  },
  {
    legacyId: '100031C',
    description: 'Apache Tomcat - script stored by PUT (CVE-2017-12615, CVE-2025-24813)',
    categories: ['apache', 'tomcat', 'rce', 'cve-2017-12615', 'cve-2025-24813'],
    expression: `http.request.method eq "PUT" and ${matchAny(String.raw`\.(?:jspx?|jspf|war|session)(?:/|%20|\s|::\$data)?$`, path)}`,
  },
  {
    legacyId: '100031D',
    description:
      'Apache Shiro, Nacos and others - path or agent that skips the login (CVE-2020-1957, CVE-2021-29441)',
    categories: ['apache', 'authentication-bypass', 'cve-2020-1957', 'cve-2021-29441'],
    expression: `(${matchAny(String.raw`^/[^?]*/(?:\.\.;|;[^/]*)/(?:admin|manager|console|actuator|hidden|manage)`, path)} or ${matchAny('^nacos-server', headers)} and ${matchAny(String.raw`/nacos/v1/`, path)})`,
  },
  {
    legacyId: '100032',
    description: 'Jenkins - script console and file reader (CVE-2018-1000861, CVE-2024-23897)',
    categories: ['jenkins', 'rce', 'cve-2018-1000861', 'cve-2024-23897'],
    expression: `(${matchAny(String.raw`/securityrealm/user/[^/]+/descriptorbyname/|/descriptorbyname/org\.jenkinsci\.plugins\.(?:scriptsecurity|workflow)`, path)} or ${matchAny(String.raw`/(?:script|scripttext)$`, path)} and ${matchAny(String.raw`(?:^|&)script=.*(?:execute\(\)|runtime|processbuilder|"\.execute)`, body)} or ${matchAny(String.raw`/cli$`, path)} and ${matchAny(String.raw`remoting=false`, query)})`,
  },
  {
    legacyId: '100032B',
    description: 'GitLab - picture with a program, password of another user (CVE-2021-22205, CVE-2023-7028)',
    categories: ['gitlab', 'rce', 'authentication-bypass', 'cve-2021-22205', 'cve-2023-7028'],
    expression: `(${matchAny(String.raw`at&tform[\s\S]*djvm|\(metadata\s*\(copyright\s*"\\`, rawBody)} or ${matchAny(String.raw`/users/password$`, path)} and ${matchAny(String.raw`user\[email\]\[\]=[^&]*&.*user\[email\]\[\]=`, body)})`,
  },
  {
    legacyId: '100514',
    description: 'Log4j - JNDI lookup (CVE-2021-44228)',
    categories: ['log-injection', 'java', 'cve-2021-44228'],
    expression: confirm('code', matchAny(String.raw`${open}\s*jndi\s*:`, path, query, body, cookie, headers)),
  },
  {
    legacyId: '100515',
    description: 'Log4j - JNDI lookup put together from other lookups (CVE-2021-44228, CVE-2021-45046)',
    categories: ['log-injection', 'java', 'cve-2021-44228', 'cve-2021-45046'],
    expression: confirm(
      'code',
      matchAny(
        String.raw`${open}[^{}]{0,40}${open}[^{}]{0,10}${lookup}[^{}]{0,60}\}|${open}(?:::-?|\w{1,10}:[^{}]{0,30}:-)[jJ]\}|${open}[^}]{0,40}jndi[^}]{0,40}(?:ldaps?|rmi|dns|iiop|corba|nds|nis|https?)\W`,
        path,
        query,
        body,
        cookie,
        headers,
      ),
    ),
  },
  {
    legacyId: '100516',
    description: 'Log4j - encoded JNDI lookup in a header',
    categories: ['log-injection', 'java', 'cve-2021-44228'],
    expression: matchAny(
      String.raw`%24%7b(?:jndi|%24%7b|lower|upper|env|::-)|jndi:(?:ldaps?|rmi|dns|iiop|corba|nds|https?):/`,
      headers,
    ),
  },
];
