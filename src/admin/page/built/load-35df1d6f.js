import{a as N,c as le}from"./chunk-7cd26d0b.js";import{e as W,f as B,g as ue}from"./chunk-8de2c139.js";import{a as q}from"./chunk-e8bd4cc0.js";import{c,d as b,e as T,f as A,g as se,h as oe,m as L,r as re,s as ie,t as ae,w as K}from"./chunk-b47554d9.js";import{c as ce}from"./chunk-d6919dc4.js";import"./chunk-ff9e0dca.js";var de={text:"",tools:"",client:"",rule:""},fe=4*1024*1024,pe="The contents are too long for a link",me="dragoman.playground.kept";function he(t){try{sessionStorage.setItem(me,JSON.stringify(t))}catch{}}function $e(){try{return ge(sessionStorage.getItem(me)??"")}catch{return}}function ge(t){let e=W(t);if(!B(e))return;let s=n=>typeof e[n]=="string"?e[n]:"";return{text:s("text"),tools:s("tools"),client:s("client"),rule:s("rule")}}async function be(t){let e=new TextEncoder().encode(JSON.stringify(t));if(e.length>fe)throw new RangeError(pe);let s=await ve(e,new CompressionStream("deflate-raw")),n=Array.from(s,o=>String.fromCharCode(o)).join("");return btoa(n).replaceAll("+","-").replaceAll("/","_").replaceAll("=","")}async function xe(t){try{let e=atob(t.replaceAll("-","+").replaceAll("_","/")),s=Uint8Array.from(e,n=>n.charCodeAt(0));return ge(new TextDecoder().decode(await ve(s,new DecompressionStream("deflate-raw"))))}catch{return}}async function ve(t,e){let s=0,n=new TransformStream({transform(i,a){if(s+=i.length,s>fe)throw new RangeError(pe);a.enqueue(new Uint8Array(i))}}),o=new Blob([t]).stream().pipeThrough(e).pipeThrough(n);return new Uint8Array(await new Response(o).arrayBuffer())}var X=`read_file: { path: string, line: integer? }
write_file: { path: string, content: string }
list_files: { path: string, recursive: boolean? }
run_command: { command: string }
`,G={...de,text:`I'll look at the file first.
@@invoke read_file
@arg path = src/main.ts
@@end
`,tools:X};function we({play:t,change:e,open:s,clients:n}){let o=({target:r})=>r.value,[i]=b(t.tools.trim()===""),a=r=>{let l=r.clipboardData?.getData("text/plain")??"";Qe(l)&&(r.preventDefault(),s(l))};return c`
    <section aria-labelledby="answer-title">
      <h2 id="answer-title"><label for="answer">Answer of the model</label></h2>
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
          Without tools, every name counts as one.
          <button type="button" onClick=${()=>e({tools:X})}>Use sample tools</button>
        </p>
      </details>
    </section>
  `}function Qe(t){let e=t.trimStart().startsWith("{")?W(t):void 0;return B(e)&&typeof e.text=="string"&&typeof e.client=="string"}async function ye(t,e){let s=await t.answer("derive",e).catch(u=>({problem:u.message,help:"change the answer"}));if("problem"in s)return{message:`${s.problem}: ${s.help}.`};let[n,...o]=s.derivations;if(n===void 0)return{message:"Nothing in the answer looks like a call."};if(n.kind==="known")return{message:`The rule ${n.rule} reads this already.`};if(n.kind==="refused")return{message:`No rule can be derived. ${n.why}.`};let i=o.some(({kind:u})=>u==="rule")?" The answer has another notation, too: derive again once this rule is saved.":"",a=n.isOff?" It is off, because nothing but the call itself marks a call: check it before you turn it on.":"",r=n.reads.map(({tool:u,arguments:p})=>`${u} ${JSON.stringify(p)}`).join("; "),l=r===""?"":` It reads from the answer: ${r}. Compare the values with the answer.`,d=n.isQuoted?" The call is in a fence, which is often documentation.":"";return{message:`Derived the rule ${n.name}; its ${n.exampleCount} examples pass.${l}${d}${a}${i}`,rule:n.text}}function ke(t,e){let s=[],n=({kind:r})=>r==="decision";for(let r of[...e].sort((l,d)=>l.start-d.start||Number(n(d))-Number(n(l)))){let{start:l,end:d}=r,u=s.at(-1);u!==void 0&&(l<u.end||l===u.start&&l===d)?(u.candidates.push(r),u.end=Math.max(u.end,d)):d>l&&s.push({start:l,end:d,candidates:[r]})}let o=[],i=0,a=(r,l)=>{r>i&&o.push({start:i,text:t.slice(i,r),candidates:l}),i=Math.max(i,r)};for(let{start:r,end:l,candidates:d}of s)a(r,[]),a(l,d);return a(t.length,[]),o}function Se({text:t,found:e,edit:s}){return"problem"in e?c`
      <section aria-labelledby="found-title">
        <h2 id="found-title">What is found</h2>
        <p class="bad">${N(`${e.problem}: ${e.help}`)}</p>
      </section>
    `:c`
    <section aria-labelledby="found-title">
      <h2 id="found-title">What is found</h2>
      <p role="status">${Ze(e)}${e.usesEdited?" The edited rule takes part.":""}</p>
      ${e.assumption!==void 0&&c`<p class="quiet small">${e.assumption}.</p>`}
      <${tt} text=${t} candidates=${e.candidates} />
      ${e.candidates.length>0&&c`
        <ol class="decisions">${e.candidates.map(n=>c`<li>${Te(n)}</li>`)}</ol>
      `}
      ${e.candidates.some(({reason:n})=>n==="near_miss")&&c`<p class="quiet small unread">To read it, press <em>Derive a rule from the answer</em> next to the rule.</p>`}
      <${nt} near=${e.near} silent=${e.silent} edit=${s} />
    </section>
    <section aria-labelledby="client-title">
      <h2 id="client-title">What ${e.client} gets</h2>
      <pre class="box" tabindex="0">${e.message}</pre>
    </section>
  `}function Ze({candidates:t,near:e}){let s=i=>t.filter(({decision:a})=>a===i).length,n=s("call"),o=[...n>0?[`${n} ${n===1?"call":"calls"}`]:[],...s("text")>0?[`${s("text")} left as text`]:[],...s("near miss")>0?[L(s("near miss"),"near miss","near misses")]:[],...s("dropped")>0?[`${s("dropped")} dropped`]:[],...s("broken off")>0?[`${s("broken off")} broken off`]:[]];return o.length>0?`${o.join(", ")}.`:e.length>0?"No call, but some rules come near.":"No candidate for a call: everything is text."}var et=400,Ee={call:"good",text:"warn",dropped:"warn","near miss":"warn","broken off":"bad",note:"quiet"};function Te({line:t,column:e,rule:s,tool:n,arguments:o,decision:i,reason:a,kind:r,detail:l,meaning:d}){let u=r==="decision"?i:r,p=s==="none"?"":` by ${s}`;return[c`<span class="place">${t}:${e}</span>`," ",c`<strong class=${Ee[i]}>${u}</strong>`,`${p}${n===void 0?"":` (${n})`}: `,c`<code>${a}</code>`,l===void 0?"":` (${l})`,o===void 0?"":c`<code class="block">${ce(o,{lengthMax:et})}</code>`,c`<span class="block quiet">${N(d)}</span>`]}function tt({text:t,candidates:e}){let s=A(null),[n,o]=b(),i=ke(t,e),a=u=>({currentTarget:p})=>{let v=p.getBoundingClientRect().bottom-(s.current?.getBoundingClientRect().top??0);o({start:u,top:v})},r=()=>o(void 0),l=i.find(({start:u,candidates:p})=>u===n?.start&&p.length>0);return c`
    <div class="marked" ref=${s} onKeyDown=${({key:u})=>u==="Escape"&&r()}>
      <pre class="box" tabindex="0" role="region" aria-label="The answer with its candidates">${i.map(({start:u,text:p,candidates:[$]})=>$===void 0?p:c`
            <mark tabindex="0" class=${Ee[$.decision]}
              aria-describedby=${l?.start===u?"tip":void 0}
              onMouseEnter=${a(u)} onMouseLeave=${r} onFocus=${a(u)} onBlur=${r}>${p}</mark>
          `)}</pre>
      ${l!==void 0&&c`
        <div id="tip" role="tooltip" class="tip" style=${{top:`${n?.top??0}px`}}>
          ${l.candidates.map(u=>c`<p>${Te(u)}</p>`)}
        </div>
      `}
    </div>
  `}function nt({near:t,silent:e,edit:s}){if(t.length===0&&e.length===0)return null;let n=o=>c`<button type="button" aria-label=${`Edit ${o}`} onClick=${()=>s(o)}>Edit</button>`;return c`
    <h3>The nearest rules</h3>
    <ul class="near">
      ${e.map(o=>c`<li>${st(o)} ${n(o.rule)}</li>`)}
      ${t.map(o=>c`<li>${ot(o)} ${n(o.rule)}</li>`)}
    </ul>
  `}function st({rule:t,isOff:e,confidence:s,minimum:n}){let o=[...e?["is off"]:[],...n===void 0?[]:[`has the confidence ${s}, under the threshold ${n}`]];return[c`<code>${t}</code>`,` would make a call here, but it ${o.join(" and ")}.`]}function ot({rule:t,line:e,column:s,expected:n,reason:o}){let i=c`<span class="place">${e}:${s}</span>`,a=o===void 0?".":` (${o}).`;return[c`<code>${t}</code>`," stops at ",i," and expects ",N(n),a]}var H="my_model";function P({rules:t,folder:e}){let s=new Map;for(let{file:n,text:o}of t.flat()){let i=ue(o);i!==""&&s.set(i,{name:i,text:o,isOwn:rt(e,n)})}return[...s.values()].sort((n,o)=>Number(o.isOwn)-Number(n.isOwn)||(n.name<o.name?-1:1))}function V(t,e){for(let s=1;;s++){let n=s===1?t:`${t}_${s}`;if(!e.has(n))return n}}function rt(t,e){return e.startsWith(`${t}/`)&&!e.slice(t.length+1).includes("/")}function Oe(t){return`rule: ${t}
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
`}var z="rule-choices",Q="rule-choice",Ce=8;function Me({completion:t,place:{left:e,top:s},take:n}){let{choices:o,selected:i}=t,a=Math.max(0,i+1-Ce),r=o[i]?.description??"";return c`
    <div class="choices" style=${{left:`clamp(0px, ${e}px, 100% - 20rem)`,top:`${s}px`}}
      onMouseDown=${l=>l.preventDefault()}>
      <ul role="listbox" id=${z} aria-label="Completions">${o.slice(a,a+Ce).map((l,d)=>{let u=a+d===i;return c`
            <li key=${l.label} role="option" aria-selected=${u} id=${u?Q:void 0}
              aria-setsize=${o.length} aria-posinset=${a+d+1}
              onClick=${()=>n(l)}>${l.label} <span class="quiet">${Ae(l.detail)}</span></li>
          `})}</ul>
      ${r!==""&&c`<p class="small">${Ae(r)}</p>`}
    </div>
  `}function Ae(t){return t.replaceAll("`","")}var it="  ";function Y(t,[e,s],n){let o=e+n.length;return{text:t.slice(0,e)+n+t.slice(s),start:o,end:o}}function Ne({text:t,start:e,end:s}){let n=/^ */.exec(t.slice(_e(t,e),e))?.[0]??"";return Y(t,[e,s],`
${n}`)}function Z({text:t,start:e,end:s},n){let o=_e(t,e),i=t.indexOf(`
`,s),a=i<0?t.length:i,r=t.slice(o,a).split(`
`),l=r.map(p=>n?it+p:p.replace(/^ {1,2}/,"")),d=Y(t,[o,a],l.join(`
`)),u=Math.max(o,e+(l[0]??"").length-(r[0]??"").length);return{...d,start:u,end:Math.max(u,s+d.text.length-t.length)}}function Re(t,e,s){let n=t.split(`
`),o=Math.min(Math.max(e,1),n.length)-1;return n.slice(0,o).reduce((a,{length:r})=>a+r+1,0)+Math.min(s-1,n[o]?.length??0)}function ee(t,e){let s=t.slice(0,e).split(`
`);return{line:s.length-1,column:s.at(-1)?.length??0}}function _e(t,e){return t.lastIndexOf(`
`,e-1)+1}function Ie(t,e){let s=t.lastIndexOf(`
`,e-1)+1,n=t.slice(s,e),o=/^( *)((?:- +)*)(\w*)$/.exec(n),i=/^( *)((?:- +)*)(\w+): +(\w*)$/.exec(n),a=o??i;if(a===null)return;let[,r="",l="",d="",u=""]=a,p=at(t.slice(0,s),{indent:r.length,column:r.length+l.length,isEntry:l!==""});if(p!==void 0)return i===null?{path:p,isValue:!1,from:e-d.length}:{path:[...p,d],isValue:!0,from:e-u.length}}function at(t,{indent:e,column:s,isEntry:n}){let o=n?[0]:[],i=n?e+1:s;for(let a of t.split(`
`).reverse()){let r=lt(a);if(r!==void 0){if(r.isEntry&&r.column===i&&!Pe(o))o.unshift(0),i=r.indent+1;else if(r.column<i&&!(Pe(o)&&r.isEntry&&r.indent+1===i)){if(r.isBlock)return;o.unshift(r.key),i=r.column,r.isEntry&&(o.unshift(0),i=r.indent+1)}if(i===0)break}}return o}function Pe([t]){return t===0}function lt(t){let[,e="",s="",n="",o=""]=/^( *)((?:- +)*)(\w+):(?:\s+(.*))?$/.exec(t)??[];if(n==="")return;let i=e.length+s.length;return{indent:e.length,column:i,key:n,isEntry:s!=="",isBlock:/^[|>][-+\d]*\s*$/.test(o)}}async function De({text:t,cursor:e,isAsked:s},n){let o=Ie(t,e);if(o===void 0||!s&&o.from===e&&!o.isValue)return;let{path:i,isValue:a,from:r}=o,l=ct(t.slice(r,e),await n(i,a));return l.length===0?void 0:{choices:l,selected:0,from:r,to:e,isValue:a}}function ct(t,e){return e.map(n=>({choice:n,at:n.label.indexOf(t)})).filter(({at:n})=>n>=0).sort((n,o)=>+(n.at>0)-+(o.at>0)).map(({choice:n})=>n)}function j(t,{from:e,to:s,isValue:n},{label:o}){return Y(t,[e,s],n?o:`${o}: `)}function te(t,e){let{length:s}=t.choices;return{...t,selected:(t.selected+e+s)%s}}var J=class{#t=[];#e;#n=[];#o=-1/0;constructor(e){this.#e=e}add(e,{time:s,isTyped:n}){e.text!==this.#e.text&&((!n||s-this.#o>500)&&this.#t.push(this.#e),this.#t.length>200&&this.#t.shift(),this.#n=[],this.#e=e,this.#o=n?s:-1/0)}undo(){return this.#s(this.#t,this.#n)}redo(){return this.#s(this.#n,this.#t)}#s(e,s){let n=e.pop();if(n!==void 0)return s.push(this.#e),this.#o=-1/0,this.#e=n}};function Le(t,e){let{selected:s,completion:n,edit:o}=e;return t.ctrlKey||t.metaKey?dt(t,e):(n&&ut(t,{...e,completion:n}))??(t.key==="Enter"?()=>o(Ne(s)):void 0)}function ut({key:t},{selected:e,completion:s,setCompletion:n,edit:o}){let i=s.choices[s.selected];switch(t){case"ArrowDown":return()=>n(te(s,1));case"ArrowUp":return()=>n(te(s,-1));case"Enter":return i&&(()=>o(j(e.text,s,i)));case"Escape":return()=>n(void 0)}}function dt({key:t,shiftKey:e},{selected:s,edit:n,history:o,suggest:i}){switch(t.toLowerCase()){case" ":return i;case"]":return()=>n(Z(s,!0));case"[":return()=>n(Z(s,!1));case"z":return()=>n(e?o.redo():o.undo());case"y":return()=>n(o.redo())}}var ft=[[/\s+/y,"plain"],[/#.*/y,"comment"],[/-(?=\s|$)/y,"value"],[/[\w.-]+(?=:(?:\s|$))/y,"key"],[/[|>][-+\d]*(?=\s*$)/y,"value"],[/'(?:[^']|'')*'?|"(?:[^"\\]|\\.)*"?/y,"string"],[/(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s,}\]]|$)/y,"value"],[/[\w.$/-]+|./yu,"plain"]];function qe(t){let e=-1;return t.split(`
`).map(s=>{let n=s.search(/\S/);if(e>=0&&(n<0||n>e))return[{text:s,color:"string"}];let o=pt(s);return e=ht(o),o})}function pt(t){let e=[];for(let s=0;s<t.length;){let[n,o]=mt(t,s),i=e.at(-1);i?.color===o&&o==="plain"?e[e.length-1]={text:i.text+n,color:o}:e.push({text:n,color:o}),s+=n.length}return e}function mt(t,e){for(let[s,n]of ft){s.lastIndex=e;let o=s.exec(t)?.[0];if(o!==void 0)return[o,n]}return[t.slice(e),"plain"]}function ht(t){let e=-1,s=0;for(let{text:n,color:o}of t){if(o==="key"||n==="-")e=s;else if(o==="value"&&/^[|>]/.test(n))return Math.max(e,0);s+=n.length}return-1}function We(t,e){let s=e.flatMap($t);return qe(t).map((n,o)=>{let i=s.filter(({line:a})=>a===o+1).sort((a,r)=>+(a.severity==="warning")-+(r.severity==="warning"));return{parts:i.reduceRight(gt,n),marks:i}})}function $t({line:t,column:e=1,length:s=1,severity:n,message:o,expected:i,help:a}){if(t===void 0)return[];let r=[o,...i===void 0?[]:[`Expected ${i}`],...a?[a]:[]];return[{line:t,from:e-1,to:e-1+s,severity:n==="warning"?"warning":"error",message:r.join(`
`).replaceAll("`","")}]}function gt(t,{from:e,to:s,severity:n,message:o}){let i=0;return t.flatMap(a=>{let[r,l]=[e-i,s-i].map(u=>Math.min(Math.max(u,0),a.text.length));return i+=a.text.length,r===l?[a]:[{...a,text:a.text.slice(0,r)},{...a,text:a.text.slice(r,l),mark:{severity:n,message:o}},{...a,text:a.text.slice(l)}].filter(u=>u.text!=="")})}function He(t){let{text:e,revision:s,diagnostics:n,complete:o,changed:i,ready:a}=t,r=A(null),l=A(null),[d]=b(e),[u]=b(()=>new J({text:e,start:0,end:0})),[p,$]=b(e),[v,w]=b(-1),[m,f]=b(),y=se(()=>We(p,n),[p,n]),O=({text:h,start:x,end:k})=>{r.current!==null&&(r.current.value=h,r.current.setSelectionRange(x,k),$(h),f(void 0))},_=(h,x)=>u.add(h,{time:Date.now(),isTyped:x}),I=h=>{h!==void 0&&(_(h,!1),O(h),i(h.text))};T(()=>{if(r.current===null||r.current.value===e)return;let h={text:e,start:0,end:0};_(h,!1),O(h)},[s]),T(()=>{a({goTo(x,k){if(r.current===null)return;let E=Re(r.current.value,x,k);r.current.focus(),r.current.setSelectionRange(E,E),l.current?.children[x-1]?.scrollIntoView({block:"nearest"})}});let h=()=>{let x=document.activeElement===r.current?r.current:null;w(x===null?-1:ee(x.value,x.selectionStart).line),f(k=>k!==void 0&&k.to===x?.selectionStart?k:void 0)};return document.addEventListener("selectionchange",h),()=>document.removeEventListener("selectionchange",h)},[]);let D=async(h,x)=>{let{value:k,selectionStart:E}=h,M=await De({text:k,cursor:E,isAsked:x},o);h.value===k&&h.selectionStart===E&&f(M)},F=({target:h,inputType:x,data:k})=>{let E=h,M=k?.length===1||x==="insertCompositionText";_(Be(E),M||x.startsWith("delete")),$(E.value),i(E.value),(M||m!==void 0)&&D(E,!1)},g=h=>{let x=h.target,k=()=>void D(x,!0),E={selected:Be(x),completion:m,setCompletion:f,edit:I,history:u,suggest:k},M=h.isComposing?void 0:Le(h,E);M!==void 0&&(h.preventDefault(),M())},S=({clientX:h,clientY:x,currentTarget:k})=>{let E=document.elementsFromPoint(h,x).find(M=>M.classList.contains("fault"));k.title=E?.getAttribute("title")??""},R=h=>m!==void 0&&I(j(p,m,h)),C=m!==void 0;return c`
    <div class="editor">
      <div class="sheet">
        <div class="lines" aria-hidden="true" ref=${l}>${bt(y,v)}</div>
        <textarea class="mono" ref=${r} defaultValue=${d} spellcheck=${!1} autocapitalize="off" rows="1"
          aria-label="Rule (YAML)" aria-autocomplete="list" aria-haspopup="listbox"
          aria-controls=${C?z:void 0} aria-activedescendant=${C?Q:void 0}
          onInput=${F} onKeyDown=${g} onMouseMove=${S}
          onBlur=${()=>f(void 0)}></textarea>
      </div>
      ${C&&c`
        <${Me} completion=${m} place=${vt(l.current,p,m.from)} take=${R} />
      `}
    </div>
  `}function Be({value:t,selectionStart:e,selectionEnd:s}){return{text:t,start:e,end:s}}function bt(t,e){let s=A([]);return s.current=t.map((n,o)=>{let i=JSON.stringify([n,o===e]),a=s.current[o];return a?.key===i?a:{key:i,element:xt(n,o===e)}}),s.current.map(({element:n})=>n)}function xt({parts:t,marks:e},s){let n=e.map(({message:o})=>o).join(`

`);return c`
    <div class=${`${e[0]?.severity??""} ${s?"current":""}`} title=${n||void 0}>${t.map(({text:o,color:i,mark:a})=>a===void 0?i==="plain"?o:c`<span class=${i}>${o}</span>`:c`<span class=${`fault ${i} ${a.severity}`} title=${a.message}>${o}</span>`)}</div>
  `}function vt(t,e,s){let n=t?.closest(".editor")?.getBoundingClientRect(),{line:o,column:i}=ee(e,s),a=t?.children[o];if(n===void 0||a===void 0)return{left:0,top:0};let r=document.createRange();r.selectNodeContents(a);let l=document.createTreeWalker(a,NodeFilter.SHOW_TEXT),d=i;for(let $=l.nextNode();$!==null;$=l.nextNode()){let v=$.nodeValue?.length??0;if(d<v){r.setStart($,d),r.setEnd($,d+1);break}d-=v}let{left:u,bottom:p}=Array.from(r.getClientRects()).at(-1)??a.getBoundingClientRect();return{left:u-n.left,top:p-n.top}}function Ye({examples:{results:t,isReadable:e},goTo:s}){let n=t.filter(je).length,o=e?t.length===0?"The rule has no examples.":n===0?`All ${t.length} pass: whole, by character, and at every cut.`:`${n} of ${t.length} ${n===1?"fails":"fail"}.`:"The examples run when the rule has no errors.";return c`
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Examples</h2>
      <p role="status" id="examples-summary" class=${n>0?"bad":"quiet"}>${o}</p>
      <ul class="examples">${t.map(i=>c`
          <li>
            <${wt} result=${i} goTo=${s} />
          </li>
        `)}</ul>
    </section>
  `}function je({failure:t,errors:e}){return t!==void 0||e.length>0}function wt({result:t,goTo:e}){let{name:s,kind:n,line:o,expected:i,failure:a,errors:r}=t,l=je(t),d=c`<button type="button" class="place" aria-label=${`${o}, go to this line`} onClick=${()=>e(o)}>${o}</button>`,u=a===void 0?"":[`Read ${a.how}`,...a.decisions].join("; "),p=c`<strong class=${l?"bad":"good"}>${l?"\u2717 fails":"\u2713 passes"}</strong>`;return c`
    ${[p," ",d,` ${s}${n==="untouched"?" (stays untouched)":""}`]}
    ${r.map($=>c`<span class="block bad">${$}</span>`)}
    ${a!==void 0&&c`
      <span class="block quiet">${u}</span>
      <dl class="compare">
        <dt>Expected</dt>
        <dd>
          <pre class="box" tabindex="0">${Ve(i)}</pre>
        </dd>
        <dt>Got</dt>
        <dd>
          <pre class="box" tabindex="0">${Ve(a)}</pre>
        </dd>
      </dl>
    `}
  `}function Ve({text:t,calls:e}){let s=e.map(({tool:n,arguments:o})=>`${n} ${JSON.stringify(o)}`);return[JSON.stringify(t),...s].join(`
`)}function Je({setup:t,rule:e,check:s,examples:n,link:o,saved:i}){let[a,r]=b({isSaved:!0,message:""});T(()=>r({isSaved:!0,message:""}),[e]);let l=async(f,y)=>{let O=await navigator.clipboard.writeText(y).then(()=>!0,()=>!1);r({isSaved:O,message:O?`${f} is copied.`:`The browser doesn't let the page copy: ${y}`})},d=()=>o().then(f=>l("The link",f),({message:f})=>r({isSaved:!1,message:`${f}.`})),u=async()=>{try{let{file:f,exampleCount:y}=await ae("rules",e,"application/yaml"),O=L(y,"example passes","examples pass");r({isSaved:!0,message:`Saved ${f}: ${O}. The running proxy uses it now.`}),i()}catch(f){r({isSaved:!1,message:re(f)})}},p=P(t).some(({name:f,isOwn:y})=>y&&f===s.name),$=`${t.folder}/${s.name}.yaml`,v=s.name!==""&&s.diagnostics.every(({severity:f})=>f!=="error")&&n?.isReadable===!0&&n.results.every(({failure:f,errors:y})=>f===void 0&&y.length===0),{saving:w}=t,m=w.isPossible?v?s.replaces&&!p?`It takes the place of the shipped rule ${s.name} in this proxy.`:"":s.name===""?"Choose a rule, or derive one from the answer, to edit and save it.":"A rule without errors whose examples pass can be saved.":`${w.message}: ${w.help}.`;return c`
    <div class="actions">
      ${w.isPossible&&s.name!==""&&c`
        <button type="button" class="main" disabled=${!v} onClick=${u}>${p?"Replace":"Save as"} ${$}</button>
      `}
      <button type="button" onClick=${()=>l("The YAML",e)}>Copy YAML</button>
      <button type="button" onClick=${d}>Copy link</button>
    </div>
    <p class="quiet small">${m}</p>
    <p role="status" id="saved" class=${a.isSaved?"good":"bad"}>${a.message}</p>
  `}var yt=[];function Ue(t){let{setup:e,rule:s,revision:n,check:o,examples:i,replace:a,derived:r}=t,l=A(),d=P(e),u=new Set(d.map(({name:m})=>m)),p=({target:m})=>{let{value:f}=m;a(f===""?"":f==="+"?kt(e)+Oe(V(H,u)):d.find(({name:y})=>y===f)?.text??"")},$=m=>d.filter(f=>f.isOwn===m).map(({name:f})=>c`<option value=${f}>${f}</option>`),v=r.message!==""&&r.rule===void 0,w=s.trim()===""?"":u.has(o?.name??"")?o?.name:"+";return c`
    <section aria-labelledby="rule-title">
      <h2 id="rule-title">Rule</h2>
      <div class="fields">
        <div>
          <label for="rule-name">Edit</label>
          <select id="rule-name" value=${w} onInput=${p}>
            <option value="">no rule</option>
            <option value="+">a new rule</option>
            ${$(!0).length>0&&c`<optgroup label="Your rules">${$(!0)}</optgroup>`}
            <optgroup label="Shipped rules">${$(!1)}</optgroup>
          </select>
        </div>
        <button type="button" class="derive" onClick=${t.derive}>Derive a rule from the answer</button>
      </div>
      <p role="status" class="small">${r.message}</p>
      <${He} text=${s} revision=${n} diagnostics=${o?.diagnostics??yt}
        complete=${t.complete} changed=${t.change} ready=${m=>void(l.current=m)} />
      ${o===void 0?"":c`
        <${St} name=${v?"":o.name} diagnostics=${o.diagnostics} goTo=${(m,f)=>l.current?.goTo(m,f)} />
      `}
      ${o===void 0?"":c`
        <${Je} setup=${e} rule=${s} check=${o} examples=${i}
          link=${t.link} saved=${t.saved} />
      `}
    </section>
    ${i===void 0?"":c`<${Ye} examples=${i} goTo=${m=>l.current?.goTo(m,1)} />`}
  `}function kt({schema:t}){return`# yaml-language-server: $schema=${t}
`}function St({name:t,diagnostics:e,goTo:s}){if(e.length===0){let n=t===""?"":`The rule ${t} has no errors.`;return c`<p role="status" class="good small" id="problems">${n}</p>`}return c`
    <div role="status" id="problems">
      <ul class="problems" aria-label="Errors and warnings">
        ${e.map(n=>c`<li>${Et(n,s)}</li>`)}
      </ul>
    </div>
  `}function Et({severity:t,message:e,line:s=1,column:n=1,expected:o,help:i,code:a},r){let l=`${s}:${n}, go to this place`;return[c`
      <button type="button" class="place" aria-label=${l}
        onClick=${()=>r(s,n)}>${s}:${n}</button>
    `," ",c`<strong class=${t==="error"?"bad":"warn"}>${t}</strong>`," ",N(e)," ",c`<code class="quiet">${a}</code>`,o===void 0?"":c`<span class="block quiet">Expected: ${N(o)}</span>`,i===void 0?"":c`<span class="block quiet help">${N(i)}</span>`]}var U=class{#t;#e=new Map;#n=new Map;#o=0;#s="";constructor(e){this.#t=e,e.onmessage=({data:s})=>{this.#s="",this.#i(s)},e.onerror=({message:s})=>{this.#s=`The engine doesn't run: ${s||"it can't be loaded"}`;for(let{id:n}of this.#e.values())this.#r(n)}}use(e){this.#t.postMessage({kind:"setup",setup:e})}ask(e,s,n){this.forget(e),this.#n.set(e,setTimeout(()=>this.askNow(e,s,n),150))}askNow(e,s,n){this.forget(e);let o=++this.#o;this.#e.set(e,{id:o,take:n}),this.#t.postMessage({kind:e,id:o,question:s}),this.#s!==""&&this.#r(o)}answer(e,s){return new Promise((n,o)=>this.askNow(e,s,(i,a)=>{i===void 0?o(new Error(a)):n(i)}))}close(){for(let e of this.#n.values())clearTimeout(e);this.#t.terminate()}forget(e){clearTimeout(this.#n.get(e)),this.#n.delete(e),this.#e.delete(e)}#r(e){this.#i({kind:"failed",id:e,message:this.#s})}#i(e){let[s,n]=[...this.#e].find(([,{id:o}])=>o===e.id)??[];s===void 0||n===void 0||(this.#e.delete(s),e.kind==="failed"?n.take(void 0,e.message):n.take(e.answer,""))}};function Fe(){return new Worker(new URL("./playground/worker.js",import.meta.url),{type:"module"})}function Ke(t){let[e,s]=b(),[n,o]=b({}),[i,a]=b(""),r=A();r.current??=new U(Fe());let l=r.current;T(()=>()=>l.close(),[l]);let d=oe(async()=>{try{let m=await ie("playground");l.use(m),s(m),a("")}catch(m){a(m instanceof Error?m.message:String(m))}},[l]);T(()=>void d(),[d]);let u=(m,f)=>{f===""&&o(y=>({...y,...m})),a(f)},{text:p="",tools:$="",client:v="",rule:w=""}=t??{};return T(()=>{t!==void 0&&l.ask("trace",{text:p,tools:$,client:v,rule:w},(m,f)=>u(m===void 0?{}:{trace:{text:p,found:m}},f))},[l,e,p,$,v,w]),T(()=>{if(w.trim()==="")return l.forget("check"),l.forget("examples"),o(({trace:m})=>q({trace:m}));l.ask("check",{rule:w},(m,f)=>u(q({check:m}),f)),l.ask("examples",{rule:w},(m,f)=>u(q({examples:m}),f))},[l,e,w]),{setup:e,client:l,newest:n,failure:i,reload:d}}var Xe="s",Tt="from",Ot="derive",ne={message:""};function Ge({parameters:t}){let[e,s]=b(),[n,o]=b(0),[i,a]=b(""),[r,l]=b(ne),[d,u]=b(!1),{setup:p,client:$,newest:v,failure:w,reload:m}=Ke(e);T(()=>{let g=t.has(Ot);Ct(t).then(({contents:S,notice:R})=>{a(R),l(ne),u(g),s(S),o(C=>C+1)})},[t]),T(()=>{e!==void 0&&he(e)},[e]),T(()=>{!d||p===void 0||e===void 0||(u(!1),_())},[d,p,e]);let f=g=>{let S=g.text!==void 0||g.tools!==void 0,R=g.rule!==void 0;l(C=>S||R&&C.rule===void 0?ne:C),s(C=>({...C??G,...g}))},y=g=>{f({rule:g}),o(S=>S+1)},O=p===void 0?[]:P(p),_=async()=>{if(e===void 0)return;l({message:"Deriving\u2026"});let g=V(H,new Set(O.map(R=>R.name))),S=await ye($,{...e,name:g});S.rule!==void 0&&y(S.rule),l(S),document.getElementById("rule-title")?.scrollIntoView({block:"nearest"})};if(p===void 0||e===void 0)return c`
      <h1>Playground</h1>
      <p class=${`empty ${w===""?"":"bad"}`}>${w||"Loading\u2026"}</p>
    `;let I=async g=>f(await $.answer("open",{text:g}).catch(()=>({text:g}))),D=async()=>{let g=new URL(location.href);return g.hash=K("playground",{[Xe]:await be(e)}),g.href},F=g=>y(O.find(S=>S.name===g)?.text??"");return c`
    <h1>Playground</h1>
    <p
      class="quiet">See what becomes of an answer, and teach Dragoman one that no rule reads. Nothing leaves the
      browser${p.saving.isPossible?" until you save a rule":""}. Plugins don't run here.</p>
    ${i!==""&&c`<p role="alert" class="warn">${i}</p>`}
    ${w!==""&&c`<p role="alert" class="bad">${w}</p>`}
    <div class="playground">
      <div>
        <${we} play=${e} change=${f} open=${I} clients=${p.clients.map(({client:g})=>g)} />
        ${v.trace!==void 0&&c`<${Se} text=${v.trace.text} found=${v.trace.found} edit=${F} />`}
      </div>
      <div>
        <${Ue} setup=${p} rule=${e.rule} check=${v.check} examples=${v.examples}
          revision=${n} change=${g=>f({rule:g})} replace=${y} derive=${_} derived=${r}
          complete=${async(g,S)=>(await $.answer("complete",{path:g,isValue:S})).choices}
          link=${D} saved=${m} />
      </div>
    </div>
  `}async function Ct(t){let e=t.get(Xe),s=t.has(Tt),n=$e(),o=e===null?void 0:await xe(e),i=s?le():void 0;(e!==null||s)&&history.replaceState(null,"",K("playground"));let a=e!==null&&o===void 0?"The link is damaged, so this is what you had before.":"";if(i===void 0)return{contents:o??n??G,notice:a};let{text:r,client:l,chat:d}=i;return{contents:{text:r,client:l??"",tools:d??"",rule:n?.rule??""},notice:a}}var ze="app/playground/playground.css";async function rs(){if(document.querySelector(`link[href="${ze}"]`)===null){let t=document.createElement("link");t.rel="stylesheet",t.href=ze,await new Promise(e=>{t.onload=t.onerror=e,document.head.append(t)})}return Ge}export{rs as loadPlayground};
