import{a as N,c as ie}from"./chunk-17671dbd.js";import{a as le,b as q,g as W}from"./chunk-c4f019e6.js";import{a as L}from"./chunk-e8bd4cc0.js";import{c,d as w,e as T,f as M,g as te,h as ne,m as I,r as se,s as oe,t as re,w as J}from"./chunk-c371a21e.js";import{c as ae}from"./chunk-d6919dc4.js";import"./chunk-ff9e0dca.js";async function ce(t,e){let s=await t.answer("derive",e).catch(u=>({problem:u.message,help:"change the answer"}));if("problem"in s)return{message:`${s.problem}: ${s.help}.`};let[n,...o]=s.derivations;if(n===void 0)return{message:"Nothing in the answer looks like a call."};if(n.kind==="known")return{message:`The rule ${n.rule} already reads this.`};if(n.kind==="refused")return{message:`No rule can be derived. ${n.why}.`};let i=o.some(({kind:u})=>u==="rule")?" The answer also contains another notation: save this rule, then derive again.":"",a=n.isOff?" It is off because its calls have no distinctive marker: check it before you turn it on.":"",r=n.reads.map(({tool:u,arguments:m})=>`${u} ${JSON.stringify(m)}`).join("; "),l=r===""?"":` From this answer, the rule reads: ${r}. Compare the values with the answer.`,d=n.isQuoted?" The call is in a fence, which is often documentation.":"";return{message:`Derived the rule ${n.name}; its ${n.exampleCount} examples pass.${l}${d}${a}${i}`,rule:n.text}}function ue({text:t,found:e,edit:s}){return"problem"in e?c`
      <section aria-labelledby="found-title">
        <h2 id="found-title">Results</h2>
        <p class="bad">${N(`${e.problem}: ${e.help}`)}</p>
      </section>
    `:c`
    <section aria-labelledby="found-title">
      <h2 id="found-title">Results</h2>
      <p role="status">${Fe(e)}${e.usesEdited?" This includes the edited rule.":""}</p>
      ${e.assumption!==void 0&&c`<p class="quiet small">${e.assumption}.</p>`}
      <${Je} text=${t} candidates=${e.candidates} />
      ${e.candidates.length>0&&c`
        <ol class="decisions">${e.candidates.map(n=>c`<li>${fe(n)}</li>`)}</ol>
      `}
      ${e.candidates.some(({reason:n})=>n==="near_miss")&&c`<p class="quiet small unread">To read it, press <em>Derive a rule from the answer</em> next to the rule.</p>`}
      <${Ke} near=${e.near} silent=${e.silent} edit=${s} />
    </section>
    <section aria-labelledby="client-title">
      <h2 id="client-title">What ${e.client} gets</h2>
      <pre class="box" tabindex="0">${e.message}</pre>
    </section>
  `}function Fe({candidates:t,near:e}){let s=i=>t.filter(({decision:a})=>a===i).length,n=s("call"),o=[...n>0?[`${n} ${n===1?"call":"calls"}`]:[],...s("text")>0?[`${s("text")} left as text`]:[],...s("near miss")>0?[I(s("near miss"),"near miss","near misses")]:[],...s("dropped")>0?[`${s("dropped")} dropped`]:[],...s("broken off")>0?[`${s("broken off")} broken off`]:[]];return o.length>0?`${o.join(", ")}.`:e.length>0?"No rule reads a call here, but some come close.":"Nothing looks like a call: everything is text."}var He=400,de={call:"good",text:"warn",dropped:"warn","near miss":"warn","broken off":"bad",note:"quiet"};function fe({line:t,column:e,rule:s,tool:n,arguments:o,decision:i,reason:a,kind:r,detail:l,meaning:d}){let u=r==="decision"?i:r,m=s==="none"?"":` by ${s}`;return[c`<span class="place">${t}:${e}</span>`," ",c`<strong class=${de[i]}>${u}</strong>`,`${m}${n===void 0?"":` (${n})`}: `,c`<code>${a}</code>`,l===void 0?"":` (${l})`,o===void 0?"":c`<code class="block">${ae(o,{lengthMax:He})}</code>`,c`<span class="block quiet">${N(d)}</span>`]}function Je({text:t,candidates:e}){let s=M(null),[n,o]=w(),i=ze(t,e),a=u=>({currentTarget:m})=>{let b=m.getBoundingClientRect().bottom-(s.current?.getBoundingClientRect().top??0);o({start:u,top:b})},r=()=>o(void 0),l=i.find(({start:u,candidates:m})=>u===n?.start&&m.length>0);return c`
    <div class="marked" ref=${s} onKeyDown=${({key:u})=>u==="Escape"&&r()}>
      <pre class="box" tabindex="0" role="region" aria-label="The answer with its candidates">${i.map(({start:u,text:m,candidates:[g]})=>g===void 0?m:c`
            <mark tabindex="0" class=${de[g.decision]}
              aria-describedby=${l?.start===u?"tip":void 0}
              onMouseEnter=${a(u)} onMouseLeave=${r} onFocus=${a(u)} onBlur=${r}>${m}</mark>
          `)}</pre>
      ${l!==void 0&&c`
        <div id="tip" role="tooltip" class="tip" style=${{top:`${n?.top??0}px`}}>
          ${l.candidates.map(u=>c`<p>${fe(u)}</p>`)}
        </div>
      `}
    </div>
  `}function Ke({near:t,silent:e,edit:s}){if(t.length===0&&e.length===0)return null;let n=o=>c`<button type="button" aria-label=${`Edit ${o}`} onClick=${()=>s(o)}>Edit</button>`;return c`
    <h3>The nearest rules</h3>
    <ul class="near">
      ${e.map(o=>c`<li>${Xe(o)} ${n(o.rule)}</li>`)}
      ${t.map(o=>c`<li>${Ge(o)} ${n(o.rule)}</li>`)}
    </ul>
  `}function Xe({rule:t,isOff:e,confidence:s,minimum:n}){let o=[...e?["is off"]:[],...n===void 0?[]:[`has the confidence ${s}, below the threshold ${n}`]];return[c`<code>${t}</code>`,` would make a call here, but it ${o.join(" and ")}.`]}function Ge({rule:t,line:e,column:s,expected:n,reason:o}){let i=c`<span class="place">${e}:${s}</span>`,a=o===void 0?".":` (${o}).`;return[c`<code>${t}</code>`," stops at ",i," and expects ",N(n),a]}function ze(t,e){let s=[],n=({kind:r})=>r==="decision";for(let r of[...e].sort((l,d)=>l.start-d.start||Number(n(d))-Number(n(l)))){let{start:l,end:d}=r,u=s.at(-1);u!==void 0&&(l<u.end||l===u.start&&l===d)?(u.candidates.push(r),u.end=Math.max(u.end,d)):d>l&&s.push({start:l,end:d,candidates:[r]})}let o=[],i=0,a=(r,l)=>{r>i&&o.push({start:i,text:t.slice(i,r),candidates:l}),i=Math.max(i,r)};for(let{start:r,end:l,candidates:d}of s)a(r,[]),a(l,d);return a(t.length,[]),o}var B="my_model";function _({rules:t,folder:e}){let s=new Map;for(let{file:n,text:o}of t.flat()){let i=le(o);i!==""&&s.set(i,{name:i,text:o,isOwn:Qe(e,n)})}return[...s.values()].sort((n,o)=>Number(o.isOwn)-Number(n.isOwn)||(n.name<o.name?-1:1))}function U(t,e){for(let s=1;;s++){let n=s===1?t:`${t}_${s}`;if(!e.has(n))return n}}function Qe(t,e){return e.startsWith(`${t}/`)&&!e.slice(t.length+1).includes("/")}function pe(t){return`rule: ${t}
description: How the model writes a call, in one sentence
pattern: '<${t} {tool}>(?<body>\u2026)</${t}>'   # {tool}: the tool's name; \u2026: the body
body: json                            # the body is the JSON of the arguments; rules/README.md lists the others
confidence: 0.95
examples:
  - name: one call after a sentence
    offered: { read_file: { path: string } }
    input: |-
      I'll read it.
      <${t} read_file>{"path": "a.txt"}</${t}>
    text: "I'll read it.\\n"
    calls: [{ tool: read_file, arguments: { path: a.txt } }]
untouched:
  - name: a tool that the request does not offer
    offered: [write_file]
    input: '<${t} read_file>{"path": "a.txt"}</${t}>'
`}var Ze="  ";function V(t,[e,s],n){let o=e+n.length;return{text:t.slice(0,e)+n+t.slice(s),start:o,end:o}}function me({text:t,start:e,end:s}){let n=/^ */.exec(t.slice($e(t,e),e))?.[0]??"";return V(t,[e,s],`
${n}`)}function K({text:t,start:e,end:s},n){let o=$e(t,e),i=t.indexOf(`
`,s),a=i<0?t.length:i,r=t.slice(o,a).split(`
`),l=r.map(m=>n?Ze+m:m.replace(/^ {1,2}/,"")),d=V(t,[o,a],l.join(`
`)),u=Math.max(o,e+(l[0]??"").length-(r[0]??"").length);return{...d,start:u,end:Math.max(u,s+d.text.length-t.length)}}function he(t,e,s){let n=t.split(`
`),o=Math.min(Math.max(e,1),n.length)-1;return n.slice(0,o).reduce((a,{length:r})=>a+r+1,0)+Math.min(s-1,n[o]?.length??0)}function X(t,e){let s=t.slice(0,e).split(`
`);return{line:s.length-1,column:s.at(-1)?.length??0}}function $e(t,e){return t.lastIndexOf(`
`,e-1)+1}function ve(t,e){let s=t.lastIndexOf(`
`,e-1)+1,n=t.slice(s,e),o=/^( *)((?:- +)*)(\w*)$/.exec(n),i=/^( *)((?:- +)*)(\w+): +(\w*)$/.exec(n),a=o??i;if(a===null)return;let[,r="",l="",d="",u=""]=a,m=et(t.slice(0,s),{indent:r.length,column:r.length+l.length,isEntry:l!==""});if(m!==void 0)return i===null?{path:m,isValue:!1,from:e-d.length}:{path:[...m,d],isValue:!0,from:e-u.length}}function et(t,{indent:e,column:s,isEntry:n}){let o=n?[0]:[],i=n?e+1:s;for(let a of t.split(`
`).reverse()){let r=tt(a);if(r!==void 0){if(r.isEntry&&r.column===i&&!ge(o))o.unshift(0),i=r.indent+1;else if(r.column<i&&!(ge(o)&&r.isEntry&&r.indent+1===i)){if(r.isBlock)return;o.unshift(r.key),i=r.column,r.isEntry&&(o.unshift(0),i=r.indent+1)}if(i===0)break}}return o}function ge([t]){return t===0}function tt(t){let[,e="",s="",n="",o=""]=/^( *)((?:- +)*)(\w+):(?:\s+(.*))?$/.exec(t)??[];if(n==="")return;let i=e.length+s.length;return{indent:e.length,column:i,key:n,isEntry:s!=="",isBlock:/^[|>][-+\d]*\s*$/.test(o)}}async function be({text:t,cursor:e,isAsked:s},n){let o=ve(t,e);if(o===void 0||!s&&o.from===e&&!o.isValue)return;let{path:i,isValue:a,from:r}=o,l=nt(t.slice(r,e),await n(i,a));return l.length===0?void 0:{choices:l,selected:0,from:r,to:e,isValue:a}}function nt(t,e){return e.map(n=>({choice:n,at:n.label.indexOf(t)})).filter(({at:n})=>n>=0).sort((n,o)=>+(n.at>0)-+(o.at>0)).map(({choice:n})=>n)}function G(t,{from:e,to:s,isValue:n},{label:o}){return V(t,[e,s],n?o:`${o}: `)}function z(t,e){let{length:s}=t.choices;return{...t,selected:(t.selected+e+s)%s}}var Y=class{#t=[];#e;#n=[];#o=-1/0;constructor(e){this.#e=e}add(e,{time:s,isTyped:n}){e.text!==this.#e.text&&((!n||s-this.#o>500)&&this.#t.push(this.#e),this.#t.length>200&&this.#t.shift(),this.#n=[],this.#e=e,this.#o=n?s:-1/0)}undo(){return this.#s(this.#t,this.#n)}redo(){return this.#s(this.#n,this.#t)}#s(e,s){let n=e.pop();if(n!==void 0)return s.push(this.#e),this.#o=-1/0,this.#e=n}};function we(t,e){let s=e.flatMap(st);return it(t).map((n,o)=>{let i=s.filter(({line:a})=>a===o+1).sort((a,r)=>+(a.severity==="warning")-+(r.severity==="warning"));return{parts:i.reduceRight(ot,n),marks:i}})}function st({line:t,column:e=1,length:s=1,severity:n,message:o,expected:i,help:a}){if(t===void 0)return[];let r=[o,...i===void 0?[]:[`Expected ${i}`],...a?[a]:[]];return[{line:t,from:e-1,to:e-1+s,severity:n==="warning"?"warning":"error",message:r.join(`
`).replaceAll("`","")}]}function ot(t,{from:e,to:s,severity:n,message:o}){let i=0;return t.flatMap(a=>{let[r,l]=[e-i,s-i].map(u=>Math.min(Math.max(u,0),a.text.length));return i+=a.text.length,r===l?[a]:[{...a,text:a.text.slice(0,r)},{...a,text:a.text.slice(r,l),mark:{severity:n,message:o}},{...a,text:a.text.slice(l)}].filter(u=>u.text!=="")})}var rt=[[/\s+/y,"plain"],[/#.*/y,"comment"],[/-(?=\s|$)/y,"value"],[/[\w.-]+(?=:(?:\s|$))/y,"key"],[/[|>][-+\d]*(?=\s*$)/y,"value"],[/'(?:[^']|'')*'?|"(?:[^"\\]|\\.)*"?/y,"string"],[/(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s,}\]]|$)/y,"value"],[/[\w.$/-]+|./yu,"plain"]];function it(t){let e=-1;return t.split(`
`).map(s=>{let n=s.search(/\S/);if(e>=0&&(n<0||n>e))return[{text:s,color:"string"}];let o=at(s);return e=ct(o),o})}function at(t){let e=[];for(let s=0;s<t.length;){let[n,o]=lt(t,s),i=e.at(-1);i?.color===o&&o==="plain"?e[e.length-1]={text:i.text+n,color:o}:e.push({text:n,color:o}),s+=n.length}return e}function lt(t,e){for(let[s,n]of rt){s.lastIndex=e;let o=s.exec(t)?.[0];if(o!==void 0)return[o,n]}return[t.slice(e),"plain"]}function ct(t){let e=-1,s=0;for(let{text:n,color:o}of t){if(o==="key"||n==="-")e=s;else if(o==="value"&&/^[|>]/.test(n))return Math.max(e,0);s+=n.length}return-1}function Se(t){let{text:e,revision:s,diagnostics:n,complete:o,changed:i,ready:a}=t,r=M(null),l=M(null),[d]=w(e),[u]=w(()=>new Y({text:e,start:0,end:0})),[m,g]=w(e),[b,x]=w(-1),[p,f]=w(),S=te(()=>we(m,n),[m,n]),O=({text:h,start:$,end:y})=>{r.current!==null&&(r.current.value=h,r.current.setSelectionRange($,y),g(h),f(void 0))},R=(h,$)=>u.add(h,{time:Date.now(),isTyped:$}),A=h=>{h!==void 0&&(R(h,!1),O(h),i(h.text))};T(()=>{if(r.current===null||r.current.value===e)return;let h={text:e,start:0,end:0};R(h,!1),O(h)},[s]),T(()=>{a({goTo($,y){if(r.current===null)return;let E=he(r.current.value,$,y);r.current.focus(),r.current.setSelectionRange(E,E),l.current?.children[$-1]?.scrollIntoView({block:"nearest"})}});let h=()=>{let $=document.activeElement===r.current?r.current:null;x($===null?-1:X($.value,$.selectionStart).line),f(y=>y!==void 0&&y.to===$?.selectionStart?y:void 0)};return document.addEventListener("selectionchange",h),()=>document.removeEventListener("selectionchange",h)},[]);let P=async(h,$)=>{let{value:y,selectionStart:E}=h,C=await be({text:y,cursor:E,isAsked:$},o);h.value===y&&h.selectionStart===E&&f(C)},D=({target:h,inputType:$,data:y})=>{let E=h,C=y?.length===1||$==="insertCompositionText";R(xe(E),C||$.startsWith("delete")),g(E.value),i(E.value),(C||p!==void 0)&&P(E,!1)},F=h=>{let $=h.target,y=()=>void P($,!0),E={selected:xe($),completion:p,setCompletion:f,edit:A,history:u,suggest:y},C=h.isComposing?void 0:mt(h,E);C!==void 0&&(h.preventDefault(),C())},H=({clientX:h,clientY:$,currentTarget:y})=>{let E=document.elementsFromPoint(h,$).find(C=>C.classList.contains("fault"));y.title=E?.getAttribute("title")??""},v=h=>p!==void 0&&A(G(m,p,h)),k=p!==void 0;return c`
    <div class="editor">
      <div class="sheet">
        <div class="lines" aria-hidden="true" ref=${l}>${ut(S,b)}</div>
        <textarea class="mono" ref=${r} defaultValue=${d} spellcheck=${!1} autocapitalize="off" rows="1"
          aria-label="Rule (YAML)" aria-autocomplete="list" aria-haspopup="listbox"
          aria-controls=${k?Ee:void 0} aria-activedescendant=${k?Te:void 0}
          onInput=${D} onKeyDown=${F} onMouseMove=${H}
          onBlur=${()=>f(void 0)}></textarea>
      </div>
      ${k&&c`
        <${pt} completion=${p} place=${ft(l.current,m,p.from)} take=${v} />
      `}
    </div>
  `}function xe({value:t,selectionStart:e,selectionEnd:s}){return{text:t,start:e,end:s}}function ut(t,e){let s=M([]);return s.current=t.map((n,o)=>{let i=JSON.stringify([n,o===e]),a=s.current[o];return a?.key===i?a:{key:i,element:dt(n,o===e)}}),s.current.map(({element:n})=>n)}function dt({parts:t,marks:e},s){let n=e.map(({message:o})=>o).join(`

`);return c`
    <div class=${`${e[0]?.severity??""} ${s?"current":""}`} title=${n||void 0}>${t.map(({text:o,color:i,mark:a})=>a===void 0?i==="plain"?o:c`<span class=${i}>${o}</span>`:c`<span class=${`fault ${i} ${a.severity}`} title=${a.message}>${o}</span>`)}</div>
  `}function ft(t,e,s){let n=t?.closest(".editor")?.getBoundingClientRect(),{line:o,column:i}=X(e,s),a=t?.children[o];if(n===void 0||a===void 0)return{left:0,top:0};let r=document.createRange();r.selectNodeContents(a);let l=document.createTreeWalker(a,NodeFilter.SHOW_TEXT),d=i;for(let g=l.nextNode();g!==null;g=l.nextNode()){let b=g.nodeValue?.length??0;if(d<b){r.setStart(g,d),r.setEnd(g,d+1);break}d-=b}let{left:u,bottom:m}=Array.from(r.getClientRects()).at(-1)??a.getBoundingClientRect();return{left:u-n.left,top:m-n.top}}var Ee="rule-choices",Te="rule-choice",ye=8;function pt({completion:t,place:{left:e,top:s},take:n}){let{choices:o,selected:i}=t,a=Math.max(0,i+1-ye),r=o[i]?.description??"";return c`
    <div class="choices" style=${{left:`clamp(0px, ${e}px, 100% - 20rem)`,top:`${s}px`}}
      onMouseDown=${l=>l.preventDefault()}>
      <ul role="listbox" id=${Ee} aria-label="Completions">${o.slice(a,a+ye).map((l,d)=>{let u=a+d===i;return c`
            <li key=${l.label} role="option" aria-selected=${u} id=${u?Te:void 0}
              aria-setsize=${o.length} aria-posinset=${a+d+1}
              onClick=${()=>n(l)}>${l.label} <span class="quiet">${ke(l.detail)}</span></li>
          `})}</ul>
      ${r!==""&&c`<p class="small">${ke(r)}</p>`}
    </div>
  `}function ke(t){return t.replaceAll("`","")}function mt(t,e){let{selected:s,completion:n,edit:o}=e;return t.ctrlKey||t.metaKey?$t(t,e):(n&&ht(t,{...e,completion:n}))??(t.key==="Enter"?()=>o(me(s)):void 0)}function ht({key:t},{selected:e,completion:s,setCompletion:n,edit:o}){let i=s.choices[s.selected];switch(t){case"ArrowDown":return()=>n(z(s,1));case"ArrowUp":return()=>n(z(s,-1));case"Enter":return i&&(()=>o(G(e.text,s,i)));case"Escape":return()=>n(void 0)}}function $t({key:t,shiftKey:e},{selected:s,edit:n,history:o,suggest:i}){switch(t.toLowerCase()){case" ":return i;case"]":return()=>n(K(s,!0));case"[":return()=>n(K(s,!1));case"z":return()=>n(e?o.redo():o.undo());case"y":return()=>n(o.redo())}}var gt=[];function Me(t){let{setup:e,rule:s,revision:n,check:o,examples:i,replace:a,derived:r}=t,l=M(),d=_(e),u=new Set(d.map(({name:p})=>p)),m=({target:p})=>{let{value:f}=p;a(f===""?"":f==="+"?vt(e)+pe(U(B,u)):d.find(({name:S})=>S===f)?.text??"")},g=p=>d.filter(f=>f.isOwn===p).map(({name:f})=>c`<option value=${f}>${f}</option>`),b=r.message!==""&&r.rule===void 0,x=s.trim()===""?"":u.has(o?.name??"")?o?.name:"+";return c`
    <section aria-labelledby="rule-title">
      <h2 id="rule-title">Rule</h2>
      <div class="fields">
        <div>
          <label for="rule-name">Edit</label>
          <select id="rule-name" value=${x} onInput=${m}>
            <option value="">no rule</option>
            <option value="+">a new rule</option>
            ${g(!0).length>0&&c`<optgroup label="Your rules">${g(!0)}</optgroup>`}
            <optgroup label="Shipped rules">${g(!1)}</optgroup>
          </select>
        </div>
        <button type="button" class="derive" onClick=${t.derive}>Derive a rule from the answer</button>
      </div>
      <p role="status" class="small">${r.message}</p>
      <${Se} text=${s} revision=${n} diagnostics=${o?.diagnostics??gt}
        complete=${t.complete} changed=${t.change} ready=${p=>void(l.current=p)} />
      ${o===void 0?"":c`
        <${bt} name=${b?"":o.name} diagnostics=${o.diagnostics} goTo=${(p,f)=>l.current?.goTo(p,f)} />
      `}
      ${o===void 0?"":c`
        <${xt} setup=${e} rule=${s} check=${o} examples=${i}
          link=${t.link} saved=${t.saved} />
      `}
    </section>
    ${i===void 0?"":c`<${yt} examples=${i} goTo=${p=>l.current?.goTo(p,1)} />`}
  `}function vt({schema:t}){return`# yaml-language-server: $schema=${t}
`}function bt({name:t,diagnostics:e,goTo:s}){if(e.length===0){let n=t===""?"":`The rule ${t} has no errors.`;return c`<p role="status" class="good small" id="problems">${n}</p>`}return c`
    <div role="status" id="problems">
      <ul class="problems" aria-label="Errors and warnings">
        ${e.map(n=>c`<li>${wt(n,s)}</li>`)}
      </ul>
    </div>
  `}function wt({severity:t,message:e,line:s=1,column:n=1,expected:o,help:i,code:a},r){let l=`${s}:${n}, go to this location`;return[c`
      <button type="button" class="place" aria-label=${l}
        onClick=${()=>r(s,n)}>${s}:${n}</button>
    `," ",c`<strong class=${t==="error"?"bad":"warn"}>${t}</strong>`," ",N(e)," ",c`<code class="quiet">${a}</code>`,o===void 0?"":c`<span class="block quiet">Expected: ${N(o)}</span>`,i===void 0?"":c`<span class="block quiet help">${N(i)}</span>`]}function xt({setup:t,rule:e,check:s,examples:n,link:o,saved:i}){let[a,r]=w({isSaved:!0,message:""});T(()=>r({isSaved:!0,message:""}),[e]);let l=async(f,S)=>{let O=await navigator.clipboard.writeText(S).then(()=>!0,()=>!1);r({isSaved:O,message:O?`${f} is copied.`:`The browser doesn't allow copying: ${S}`})},d=()=>o().then(f=>l("The link",f),({message:f})=>r({isSaved:!1,message:`${f}.`})),u=async()=>{try{let{file:f,exampleCount:S}=await re("rules",e,"application/yaml"),O=I(S,"example passes","examples pass");r({isSaved:!0,message:`Saved ${f}: ${O}. The running proxy uses it now.`}),i()}catch(f){r({isSaved:!1,message:se(f)})}},m=_(t).some(({name:f,isOwn:S})=>S&&f===s.name),g=`${t.folder}/${s.name}.yaml`,b=s.name!==""&&s.diagnostics.every(({severity:f})=>f!=="error")&&n?.isReadable===!0&&n.results.every(({failure:f,errors:S})=>f===void 0&&S.length===0),{saving:x}=t,p=x.isPossible?b?s.replaces&&!m?`It replaces the shipped rule ${s.name} in this proxy.`:"":s.name===""?"Choose a rule, or derive one from the answer, to edit and save it.":"You can save a rule once it has no errors and its examples pass.":`${x.message}: ${x.help}.`;return c`
    <div class="actions">
      ${x.isPossible&&s.name!==""&&c`
        <button type="button" class="main" disabled=${!b} onClick=${u}>${m?"Replace":"Save as"} ${g}</button>
      `}
      <button type="button" onClick=${()=>l("The YAML",e)}>Copy YAML</button>
      <button type="button" onClick=${d}>Copy link</button>
    </div>
    <p class="quiet small">${p}</p>
    <p role="status" id="saved" class=${a.isSaved?"good":"bad"}>${a.message}</p>
  `}function yt({examples:{results:t,isReadable:e},goTo:s}){let n=t.filter(Ce).length,o=e?t.length===0?"The rule has no examples.":n===0?`All ${t.length} pass: as a whole, by character, and split at every position.`:`${n} of ${t.length} ${n===1?"fails":"fail"}.`:"The examples run when the rule has no errors.";return c`
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Examples</h2>
      <p role="status" id="examples-summary" class=${n>0?"bad":"quiet"}>${o}</p>
      <ul class="examples">${t.map(i=>c`
          <li>
            <${kt} result=${i} goTo=${s} />
          </li>
        `)}</ul>
    </section>
  `}function Ce({failure:t,errors:e}){return t!==void 0||e.length>0}function kt({result:t,goTo:e}){let{name:s,kind:n,line:o,expected:i,failure:a,errors:r}=t,l=Ce(t),d=c`<button type="button" class="place" aria-label=${`${o}, go to this line`} onClick=${()=>e(o)}>${o}</button>`,u=a===void 0?"":[`Read ${a.how}`,...a.decisions].join("; "),m=c`<strong class=${l?"bad":"good"}>${l?"\u2717 fails":"\u2713 passes"}</strong>`;return c`
    ${[m," ",d,` ${s}${n==="untouched"?" (stays untouched)":""}`]}
    ${r.map(g=>c`<span class="block bad">${g}</span>`)}
    ${a!==void 0&&c`
      <span class="block quiet">${u}</span>
      <dl class="compare">
        <dt>Expected</dt>
        <dd>
          <pre class="box" tabindex="0">${Oe(i)}</pre>
        </dd>
        <dt>Got</dt>
        <dd>
          <pre class="box" tabindex="0">${Oe(a)}</pre>
        </dd>
      </dl>
    `}
  `}function Oe({text:t,calls:e}){let s=e.map(({tool:n,arguments:o})=>`${n} ${JSON.stringify(o)}`);return[JSON.stringify(t),...s].join(`
`)}var Ne={text:"",tools:"",client:"",rule:""},Re=4*1024*1024,Ae="The contents are too long for a link",Pe="dragoman.playground.kept";function _e(t){try{sessionStorage.setItem(Pe,JSON.stringify(t))}catch{}}function De(){try{return Ie(sessionStorage.getItem(Pe)??"")}catch{return}}function Ie(t){let e=W(t);if(!q(e))return;let s=n=>typeof e[n]=="string"?e[n]:"";return{text:s("text"),tools:s("tools"),client:s("client"),rule:s("rule")}}async function Le(t){let e=new TextEncoder().encode(JSON.stringify(t));if(e.length>Re)throw new RangeError(Ae);let s=await We(e,new CompressionStream("deflate-raw")),n=Array.from(s,o=>String.fromCharCode(o)).join("");return btoa(n).replaceAll("+","-").replaceAll("/","_").replaceAll("=","")}async function qe(t){try{let e=atob(t.replaceAll("-","+").replaceAll("_","/")),s=Uint8Array.from(e,n=>n.charCodeAt(0));return Ie(new TextDecoder().decode(await We(s,new DecompressionStream("deflate-raw"))))}catch{return}}async function We(t,e){let s=0,n=new TransformStream({transform(i,a){if(s+=i.length,s>Re)throw new RangeError(Ae);a.enqueue(new Uint8Array(i))}}),o=new Blob([t]).stream().pipeThrough(e).pipeThrough(n);return new Uint8Array(await new Response(o).arrayBuffer())}var Q=`read_file: { path: string, line: integer? }
write_file: { path: string, content: string }
list_files: { path: string, recursive: boolean? }
run_command: { command: string }
`,Z={...Ne,text:`I'll look at the file first.
@@invoke read_file
@arg path = src/main.ts
@@end
`,tools:Q};var j=class{#t;#e=new Map;#n=new Map;#o=0;#s="";constructor(e){this.#t=e,e.onmessage=({data:s})=>{this.#s="",this.#i(s)},e.onerror=({message:s})=>{this.#s=`The engine isn't running: ${s||"it can't be loaded"}`;for(let{id:n}of this.#e.values())this.#r(n)}}use(e){this.#t.postMessage({kind:"setup",setup:e})}ask(e,s,n){this.forget(e),this.#n.set(e,setTimeout(()=>this.askNow(e,s,n),150))}askNow(e,s,n){this.forget(e);let o=++this.#o;this.#e.set(e,{id:o,take:n}),this.#t.postMessage({kind:e,id:o,question:s}),this.#s!==""&&this.#r(o)}answer(e,s){return new Promise((n,o)=>this.askNow(e,s,(i,a)=>{i===void 0?o(new Error(a)):n(i)}))}close(){for(let e of this.#n.values())clearTimeout(e);this.#t.terminate()}forget(e){clearTimeout(this.#n.get(e)),this.#n.delete(e),this.#e.delete(e)}#r(e){this.#i({kind:"failed",id:e,message:this.#s})}#i(e){let[s,n]=[...this.#e].find(([,{id:o}])=>o===e.id)??[];s===void 0||n===void 0||(this.#e.delete(s),e.kind==="failed"?n.take(void 0,e.message):n.take(e.answer,""))}};function Be(){return new Worker(new URL("./playground/worker.js",import.meta.url),{type:"module"})}var Ue="s",St="from",Et="derive",Ve="rule",ee={message:""};function Ye({parameters:t}){let[e,s]=w(),[n,o]=w(0),[i,a]=w(""),[r,l]=w(ee),[d,u]=w(!1),[m,g]=w(""),{setup:b,client:x,newest:p,failure:f,reload:S}=Ct(e);T(()=>{let v=t.has(Et),k=t.get(Ve)??"";Tt(t).then(({contents:h,notice:$})=>{a($),l(ee),u(v),g(k),s(h),o(y=>y+1)})},[t]),T(()=>{e!==void 0&&_e(e)},[e]),T(()=>{!d||b===void 0||e===void 0||(u(!1),D())},[d,b,e]),T(()=>{m===""||b===void 0||e===void 0||(g(""),P(m))},[m,b,e]);let O=v=>{let k=v.text!==void 0||v.tools!==void 0,h=v.rule!==void 0;l($=>k||h&&$.rule===void 0?ee:$),s($=>({...$??Z,...v}))},R=v=>{O({rule:v}),o(k=>k+1)},A=b===void 0?[]:_(b),P=v=>R(A.find(k=>k.name===v)?.text??""),D=async()=>{if(e===void 0)return;l({message:"Deriving\u2026"});let v=U(B,new Set(A.map(h=>h.name))),k=await ce(x,{...e,name:v});k.rule!==void 0&&R(k.rule),l(k),document.getElementById("rule-title")?.scrollIntoView({block:"nearest"})};if(b===void 0||e===void 0)return c`
      <h1>Playground</h1>
      <p class=${`empty ${f===""?"":"bad"}`}>${f||"Loading\u2026"}</p>
    `;let F=async v=>O(await x.answer("open",{text:v}).catch(()=>({text:v}))),H=async()=>{let v=new URL(location.href);return v.hash=J("playground",{[Ue]:await Le(e)}),v.href};return c`
    <h1>Playground</h1>
    <p
      class="quiet">See how Dragoman converts an answer, and create a rule for one that no rule reads. Nothing leaves the
      browser${b.saving.isPossible?" until you save a rule":""}. Plugins don't run here.</p>
    ${i!==""&&c`<p role="alert" class="warn">${i}</p>`}
    ${f!==""&&c`<p role="alert" class="bad">${f}</p>`}
    <div class="playground">
      <div>
        <${Ot} play=${e} change=${O} open=${F} clients=${b.clients.map(({client:v})=>v)} />
      </div>
      <div class="found">
        ${p.trace!==void 0&&c`<${ue} text=${p.trace.text} found=${p.trace.found} edit=${P} />`}
      </div>
      <div>
        <${Me} setup=${b} rule=${e.rule} check=${p.check} examples=${p.examples}
          revision=${n} change=${v=>O({rule:v})} replace=${R} derive=${D} derived=${r}
          complete=${async(v,k)=>(await x.answer("complete",{path:v,isValue:k})).choices}
          link=${H} saved=${S} />
      </div>
    </div>
  `}async function Tt(t){let e=t.get(Ue),s=t.has(St),n=De(),o=e===null?void 0:await qe(e),i=s?ie():void 0;(e!==null||s||t.has(Ve))&&history.replaceState(null,"",J("playground"));let a=e!==null&&o===void 0?"The link is damaged, so the playground shows its previous contents.":"";if(i===void 0)return{contents:o??n??Z,notice:a};let{text:r,client:l,chat:d}=i;return{contents:{text:r,client:l??"",tools:d??"",rule:n?.rule??""},notice:a}}function Ot({play:t,change:e,open:s,clients:n}){let o=({target:r})=>r.value,[i]=w(t.tools.trim()===""),a=r=>{let l=r.clipboardData?.getData("text/plain")??"";Mt(l)&&(r.preventDefault(),s(l))};return c`
    <section aria-labelledby="answer-title">
      <h2 id="answer-title"><label for="answer">The model's answer</label></h2>
      <textarea id="answer" class="mono" rows="9" spellcheck=${!1} value=${t.text} onPaste=${a}
        aria-describedby="answer-help"
        onInput=${r=>e({text:o(r)})}></textarea>
      <p id="answer-help"
        class="quiet small">Paste what the model printed, or a file that <code>serve --record</code> wrote.</p>
      <div class="fields">
        <div>
          <label for="client">Client</label>
          <select id="client" value=${t.client} onInput=${r=>e({client:o(r)})}>
            <option value="">as the request shows</option>
            ${n.map(r=>c`<option value=${r}>${r}</option>`)}
          </select>
        </div>
      </div>
      <details open=${i}>
        <summary>Offered tools</summary>
        <textarea id="tools" class="mono" rows="5" spellcheck=${!1} value=${t.tools}
          aria-label="Offered tools"
          aria-describedby="tools-help"
          onInput=${r=>e({tools:o(r)})}></textarea>
        <p id="tools-help" class="quiet small">
          A request as JSON, its <code>tools</code>, names, or <code>read_file: { path: string, line: integer? }</code>.
          Without tools, every name counts as a tool.${" "}
          <button type="button" onClick=${()=>e({tools:Q})}>Use sample tools</button>
        </p>
      </details>
    </section>
  `}function Mt(t){let e=t.trimStart().startsWith("{")?W(t):void 0;return q(e)&&typeof e.text=="string"&&typeof e.client=="string"}function Ct(t){let[e,s]=w(),[n,o]=w({}),[i,a]=w(""),r=M();r.current??=new j(Be());let l=r.current;T(()=>()=>l.close(),[l]);let d=ne(async()=>{try{let p=await oe("playground");l.use(p),s(p),a("")}catch(p){a(p instanceof Error?p.message:String(p))}},[l]);T(()=>void d(),[d]);let u=(p,f)=>{f===""&&o(S=>({...S,...p})),a(f)},{text:m="",tools:g="",client:b="",rule:x=""}=t??{};return T(()=>{t!==void 0&&l.ask("trace",{text:m,tools:g,client:b,rule:x},(p,f)=>u(p===void 0?{}:{trace:{text:m,found:p}},f))},[l,e,m,g,b,x]),T(()=>{if(x.trim()==="")return l.forget("check"),l.forget("examples"),o(({trace:p})=>L({trace:p}));l.ask("check",{rule:x},(p,f)=>u(L({check:p}),f)),l.ask("examples",{rule:x},(p,f)=>u(L({examples:p}),f))},[l,e,x]),{setup:e,client:l,newest:n,failure:i,reload:d}}var je="app/playground/playground.css";async function Pn(){if(document.querySelector(`link[href="${je}"]`)===null){let t=document.createElement("link");t.rel="stylesheet",t.href=je,await new Promise(e=>{t.onload=t.onerror=e,document.head.append(t)})}return Ye}export{Pn as loadPlayground};
