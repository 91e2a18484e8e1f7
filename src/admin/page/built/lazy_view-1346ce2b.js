import{a as R,c as le}from"./chunk-17671dbd.js";import{e as q,f as W,g as ue}from"./chunk-8de2c139.js";import{a as L}from"./chunk-e8bd4cc0.js";import{c,d as b,e as E,f as C,g as se,h as oe,m as D,r as re,s as ie,t as ae,w as K}from"./chunk-c371a21e.js";import{c as ce}from"./chunk-d6919dc4.js";import"./chunk-ff9e0dca.js";var de={text:"",tools:"",client:"",rule:""},fe=4*1024*1024,pe="The contents are too long for a link",me="dragoman.playground.kept";function he(t){try{sessionStorage.setItem(me,JSON.stringify(t))}catch{}}function $e(){try{return ge(sessionStorage.getItem(me)??"")}catch{return}}function ge(t){let e=q(t);if(!W(e))return;let s=n=>typeof e[n]=="string"?e[n]:"";return{text:s("text"),tools:s("tools"),client:s("client"),rule:s("rule")}}async function ve(t){let e=new TextEncoder().encode(JSON.stringify(t));if(e.length>fe)throw new RangeError(pe);let s=await be(e,new CompressionStream("deflate-raw")),n=Array.from(s,o=>String.fromCharCode(o)).join("");return btoa(n).replaceAll("+","-").replaceAll("/","_").replaceAll("=","")}async function xe(t){try{let e=atob(t.replaceAll("-","+").replaceAll("_","/")),s=Uint8Array.from(e,n=>n.charCodeAt(0));return ge(new TextDecoder().decode(await be(s,new DecompressionStream("deflate-raw"))))}catch{return}}async function be(t,e){let s=0,n=new TransformStream({transform(i,a){if(s+=i.length,s>fe)throw new RangeError(pe);a.enqueue(new Uint8Array(i))}}),o=new Blob([t]).stream().pipeThrough(e).pipeThrough(n);return new Uint8Array(await new Response(o).arrayBuffer())}var X=`read_file: { path: string, line: integer? }
write_file: { path: string, content: string }
list_files: { path: string, recursive: boolean? }
run_command: { command: string }
`,G={...de,text:`I'll look at the file first.
@@invoke read_file
@arg path = src/main.ts
@@end
`,tools:X};function we({play:t,change:e,open:s,clients:n}){let o=({target:r})=>r.value,[i]=b(t.tools.trim()===""),a=r=>{let l=r.clipboardData?.getData("text/plain")??"";Ze(l)&&(r.preventDefault(),s(l))};return c`
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
          <button type="button" onClick=${()=>e({tools:X})}>Use sample tools</button>
        </p>
      </details>
    </section>
  `}function Ze(t){let e=t.trimStart().startsWith("{")?q(t):void 0;return W(e)&&typeof e.text=="string"&&typeof e.client=="string"}async function ye(t,e){let s=await t.answer("derive",e).catch(u=>({problem:u.message,help:"change the answer"}));if("problem"in s)return{message:`${s.problem}: ${s.help}.`};let[n,...o]=s.derivations;if(n===void 0)return{message:"Nothing in the answer looks like a call."};if(n.kind==="known")return{message:`The rule ${n.rule} already reads this.`};if(n.kind==="refused")return{message:`No rule can be derived. ${n.why}.`};let i=o.some(({kind:u})=>u==="rule")?" The answer also contains another notation: save this rule, then derive again.":"",a=n.isOff?" It is off because its calls have no distinctive marker: check it before you turn it on.":"",r=n.reads.map(({tool:u,arguments:m})=>`${u} ${JSON.stringify(m)}`).join("; "),l=r===""?"":` From this answer, the rule reads: ${r}. Compare the values with the answer.`,d=n.isQuoted?" The call is in a fence, which is often documentation.":"";return{message:`Derived the rule ${n.name}; its ${n.exampleCount} examples pass.${l}${d}${a}${i}`,rule:n.text}}function ke(t,e){let s=[],n=({kind:r})=>r==="decision";for(let r of[...e].sort((l,d)=>l.start-d.start||Number(n(d))-Number(n(l)))){let{start:l,end:d}=r,u=s.at(-1);u!==void 0&&(l<u.end||l===u.start&&l===d)?(u.candidates.push(r),u.end=Math.max(u.end,d)):d>l&&s.push({start:l,end:d,candidates:[r]})}let o=[],i=0,a=(r,l)=>{r>i&&o.push({start:i,text:t.slice(i,r),candidates:l}),i=Math.max(i,r)};for(let{start:r,end:l,candidates:d}of s)a(r,[]),a(l,d);return a(t.length,[]),o}function Se({text:t,found:e,edit:s}){return"problem"in e?c`
      <section aria-labelledby="found-title">
        <h2 id="found-title">Results</h2>
        <p class="bad">${R(`${e.problem}: ${e.help}`)}</p>
      </section>
    `:c`
    <section aria-labelledby="found-title">
      <h2 id="found-title">Results</h2>
      <p role="status">${et(e)}${e.usesEdited?" This includes the edited rule.":""}</p>
      ${e.assumption!==void 0&&c`<p class="quiet small">${e.assumption}.</p>`}
      <${nt} text=${t} candidates=${e.candidates} />
      ${e.candidates.length>0&&c`
        <ol class="decisions">${e.candidates.map(n=>c`<li>${Te(n)}</li>`)}</ol>
      `}
      ${e.candidates.some(({reason:n})=>n==="near_miss")&&c`<p class="quiet small unread">To read it, press <em>Derive a rule from the answer</em> next to the rule.</p>`}
      <${st} near=${e.near} silent=${e.silent} edit=${s} />
    </section>
    <section aria-labelledby="client-title">
      <h2 id="client-title">What ${e.client} gets</h2>
      <pre class="box" tabindex="0">${e.message}</pre>
    </section>
  `}function et({candidates:t,near:e}){let s=i=>t.filter(({decision:a})=>a===i).length,n=s("call"),o=[...n>0?[`${n} ${n===1?"call":"calls"}`]:[],...s("text")>0?[`${s("text")} left as text`]:[],...s("near miss")>0?[D(s("near miss"),"near miss","near misses")]:[],...s("dropped")>0?[`${s("dropped")} dropped`]:[],...s("broken off")>0?[`${s("broken off")} broken off`]:[]];return o.length>0?`${o.join(", ")}.`:e.length>0?"No rule reads a call here, but some come close.":"Nothing looks like a call: everything is text."}var tt=400,Ee={call:"good",text:"warn",dropped:"warn","near miss":"warn","broken off":"bad",note:"quiet"};function Te({line:t,column:e,rule:s,tool:n,arguments:o,decision:i,reason:a,kind:r,detail:l,meaning:d}){let u=r==="decision"?i:r,m=s==="none"?"":` by ${s}`;return[c`<span class="place">${t}:${e}</span>`," ",c`<strong class=${Ee[i]}>${u}</strong>`,`${m}${n===void 0?"":` (${n})`}: `,c`<code>${a}</code>`,l===void 0?"":` (${l})`,o===void 0?"":c`<code class="block">${ce(o,{lengthMax:tt})}</code>`,c`<span class="block quiet">${R(d)}</span>`]}function nt({text:t,candidates:e}){let s=C(null),[n,o]=b(),i=ke(t,e),a=u=>({currentTarget:m})=>{let x=m.getBoundingClientRect().bottom-(s.current?.getBoundingClientRect().top??0);o({start:u,top:x})},r=()=>o(void 0),l=i.find(({start:u,candidates:m})=>u===n?.start&&m.length>0);return c`
    <div class="marked" ref=${s} onKeyDown=${({key:u})=>u==="Escape"&&r()}>
      <pre class="box" tabindex="0" role="region" aria-label="The answer with its candidates">${i.map(({start:u,text:m,candidates:[g]})=>g===void 0?m:c`
            <mark tabindex="0" class=${Ee[g.decision]}
              aria-describedby=${l?.start===u?"tip":void 0}
              onMouseEnter=${a(u)} onMouseLeave=${r} onFocus=${a(u)} onBlur=${r}>${m}</mark>
          `)}</pre>
      ${l!==void 0&&c`
        <div id="tip" role="tooltip" class="tip" style=${{top:`${n?.top??0}px`}}>
          ${l.candidates.map(u=>c`<p>${Te(u)}</p>`)}
        </div>
      `}
    </div>
  `}function st({near:t,silent:e,edit:s}){if(t.length===0&&e.length===0)return null;let n=o=>c`<button type="button" aria-label=${`Edit ${o}`} onClick=${()=>s(o)}>Edit</button>`;return c`
    <h3>The nearest rules</h3>
    <ul class="near">
      ${e.map(o=>c`<li>${ot(o)} ${n(o.rule)}</li>`)}
      ${t.map(o=>c`<li>${rt(o)} ${n(o.rule)}</li>`)}
    </ul>
  `}function ot({rule:t,isOff:e,confidence:s,minimum:n}){let o=[...e?["is off"]:[],...n===void 0?[]:[`has the confidence ${s}, below the threshold ${n}`]];return[c`<code>${t}</code>`,` would make a call here, but it ${o.join(" and ")}.`]}function rt({rule:t,line:e,column:s,expected:n,reason:o}){let i=c`<span class="place">${e}:${s}</span>`,a=o===void 0?".":` (${o}).`;return[c`<code>${t}</code>`," stops at ",i," and expects ",R(n),a]}var B="my_model";function N({rules:t,folder:e}){let s=new Map;for(let{file:n,text:o}of t.flat()){let i=ue(o);i!==""&&s.set(i,{name:i,text:o,isOwn:it(e,n)})}return[...s.values()].sort((n,o)=>Number(o.isOwn)-Number(n.isOwn)||(n.name<o.name?-1:1))}function H(t,e){for(let s=1;;s++){let n=s===1?t:`${t}_${s}`;if(!e.has(n))return n}}function it(t,e){return e.startsWith(`${t}/`)&&!e.slice(t.length+1).includes("/")}function Oe(t){return`rule: ${t}
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
`}var z="rule-choices",Q="rule-choice",Ce=8;function Re({completion:t,place:{left:e,top:s},take:n}){let{choices:o,selected:i}=t,a=Math.max(0,i+1-Ce),r=o[i]?.description??"";return c`
    <div class="choices" style=${{left:`clamp(0px, ${e}px, 100% - 20rem)`,top:`${s}px`}}
      onMouseDown=${l=>l.preventDefault()}>
      <ul role="listbox" id=${z} aria-label="Completions">${o.slice(a,a+Ce).map((l,d)=>{let u=a+d===i;return c`
            <li key=${l.label} role="option" aria-selected=${u} id=${u?Q:void 0}
              aria-setsize=${o.length} aria-posinset=${a+d+1}
              onClick=${()=>n(l)}>${l.label} <span class="quiet">${Me(l.detail)}</span></li>
          `})}</ul>
      ${r!==""&&c`<p class="small">${Me(r)}</p>`}
    </div>
  `}function Me(t){return t.replaceAll("`","")}var at="  ";function Y(t,[e,s],n){let o=e+n.length;return{text:t.slice(0,e)+n+t.slice(s),start:o,end:o}}function Ae({text:t,start:e,end:s}){let n=/^ */.exec(t.slice(_e(t,e),e))?.[0]??"";return Y(t,[e,s],`
${n}`)}function Z({text:t,start:e,end:s},n){let o=_e(t,e),i=t.indexOf(`
`,s),a=i<0?t.length:i,r=t.slice(o,a).split(`
`),l=r.map(m=>n?at+m:m.replace(/^ {1,2}/,"")),d=Y(t,[o,a],l.join(`
`)),u=Math.max(o,e+(l[0]??"").length-(r[0]??"").length);return{...d,start:u,end:Math.max(u,s+d.text.length-t.length)}}function Ne(t,e,s){let n=t.split(`
`),o=Math.min(Math.max(e,1),n.length)-1;return n.slice(0,o).reduce((a,{length:r})=>a+r+1,0)+Math.min(s-1,n[o]?.length??0)}function ee(t,e){let s=t.slice(0,e).split(`
`);return{line:s.length-1,column:s.at(-1)?.length??0}}function _e(t,e){return t.lastIndexOf(`
`,e-1)+1}function Ie(t,e){let s=t.lastIndexOf(`
`,e-1)+1,n=t.slice(s,e),o=/^( *)((?:- +)*)(\w*)$/.exec(n),i=/^( *)((?:- +)*)(\w+): +(\w*)$/.exec(n),a=o??i;if(a===null)return;let[,r="",l="",d="",u=""]=a,m=lt(t.slice(0,s),{indent:r.length,column:r.length+l.length,isEntry:l!==""});if(m!==void 0)return i===null?{path:m,isValue:!1,from:e-d.length}:{path:[...m,d],isValue:!0,from:e-u.length}}function lt(t,{indent:e,column:s,isEntry:n}){let o=n?[0]:[],i=n?e+1:s;for(let a of t.split(`
`).reverse()){let r=ct(a);if(r!==void 0){if(r.isEntry&&r.column===i&&!Pe(o))o.unshift(0),i=r.indent+1;else if(r.column<i&&!(Pe(o)&&r.isEntry&&r.indent+1===i)){if(r.isBlock)return;o.unshift(r.key),i=r.column,r.isEntry&&(o.unshift(0),i=r.indent+1)}if(i===0)break}}return o}function Pe([t]){return t===0}function ct(t){let[,e="",s="",n="",o=""]=/^( *)((?:- +)*)(\w+):(?:\s+(.*))?$/.exec(t)??[];if(n==="")return;let i=e.length+s.length;return{indent:e.length,column:i,key:n,isEntry:s!=="",isBlock:/^[|>][-+\d]*\s*$/.test(o)}}async function De({text:t,cursor:e,isAsked:s},n){let o=Ie(t,e);if(o===void 0||!s&&o.from===e&&!o.isValue)return;let{path:i,isValue:a,from:r}=o,l=ut(t.slice(r,e),await n(i,a));return l.length===0?void 0:{choices:l,selected:0,from:r,to:e,isValue:a}}function ut(t,e){return e.map(n=>({choice:n,at:n.label.indexOf(t)})).filter(({at:n})=>n>=0).sort((n,o)=>+(n.at>0)-+(o.at>0)).map(({choice:n})=>n)}function U(t,{from:e,to:s,isValue:n},{label:o}){return Y(t,[e,s],n?o:`${o}: `)}function te(t,e){let{length:s}=t.choices;return{...t,selected:(t.selected+e+s)%s}}var V=class{#t=[];#e;#n=[];#o=-1/0;constructor(e){this.#e=e}add(e,{time:s,isTyped:n}){e.text!==this.#e.text&&((!n||s-this.#o>500)&&this.#t.push(this.#e),this.#t.length>200&&this.#t.shift(),this.#n=[],this.#e=e,this.#o=n?s:-1/0)}undo(){return this.#s(this.#t,this.#n)}redo(){return this.#s(this.#n,this.#t)}#s(e,s){let n=e.pop();if(n!==void 0)return s.push(this.#e),this.#o=-1/0,this.#e=n}};function Le(t,e){let{selected:s,completion:n,edit:o}=e;return t.ctrlKey||t.metaKey?ft(t,e):(n&&dt(t,{...e,completion:n}))??(t.key==="Enter"?()=>o(Ae(s)):void 0)}function dt({key:t},{selected:e,completion:s,setCompletion:n,edit:o}){let i=s.choices[s.selected];switch(t){case"ArrowDown":return()=>n(te(s,1));case"ArrowUp":return()=>n(te(s,-1));case"Enter":return i&&(()=>o(U(e.text,s,i)));case"Escape":return()=>n(void 0)}}function ft({key:t,shiftKey:e},{selected:s,edit:n,history:o,suggest:i}){switch(t.toLowerCase()){case" ":return i;case"]":return()=>n(Z(s,!0));case"[":return()=>n(Z(s,!1));case"z":return()=>n(e?o.redo():o.undo());case"y":return()=>n(o.redo())}}var pt=[[/\s+/y,"plain"],[/#.*/y,"comment"],[/-(?=\s|$)/y,"value"],[/[\w.-]+(?=:(?:\s|$))/y,"key"],[/[|>][-+\d]*(?=\s*$)/y,"value"],[/'(?:[^']|'')*'?|"(?:[^"\\]|\\.)*"?/y,"string"],[/(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s,}\]]|$)/y,"value"],[/[\w.$/-]+|./yu,"plain"]];function qe(t){let e=-1;return t.split(`
`).map(s=>{let n=s.search(/\S/);if(e>=0&&(n<0||n>e))return[{text:s,color:"string"}];let o=mt(s);return e=$t(o),o})}function mt(t){let e=[];for(let s=0;s<t.length;){let[n,o]=ht(t,s),i=e.at(-1);i?.color===o&&o==="plain"?e[e.length-1]={text:i.text+n,color:o}:e.push({text:n,color:o}),s+=n.length}return e}function ht(t,e){for(let[s,n]of pt){s.lastIndex=e;let o=s.exec(t)?.[0];if(o!==void 0)return[o,n]}return[t.slice(e),"plain"]}function $t(t){let e=-1,s=0;for(let{text:n,color:o}of t){if(o==="key"||n==="-")e=s;else if(o==="value"&&/^[|>]/.test(n))return Math.max(e,0);s+=n.length}return-1}function We(t,e){let s=e.flatMap(gt);return qe(t).map((n,o)=>{let i=s.filter(({line:a})=>a===o+1).sort((a,r)=>+(a.severity==="warning")-+(r.severity==="warning"));return{parts:i.reduceRight(vt,n),marks:i}})}function gt({line:t,column:e=1,length:s=1,severity:n,message:o,expected:i,help:a}){if(t===void 0)return[];let r=[o,...i===void 0?[]:[`Expected ${i}`],...a?[a]:[]];return[{line:t,from:e-1,to:e-1+s,severity:n==="warning"?"warning":"error",message:r.join(`
`).replaceAll("`","")}]}function vt(t,{from:e,to:s,severity:n,message:o}){let i=0;return t.flatMap(a=>{let[r,l]=[e-i,s-i].map(u=>Math.min(Math.max(u,0),a.text.length));return i+=a.text.length,r===l?[a]:[{...a,text:a.text.slice(0,r)},{...a,text:a.text.slice(r,l),mark:{severity:n,message:o}},{...a,text:a.text.slice(l)}].filter(u=>u.text!=="")})}function He(t){let{text:e,revision:s,diagnostics:n,complete:o,changed:i,ready:a}=t,r=C(null),l=C(null),[d]=b(e),[u]=b(()=>new V({text:e,start:0,end:0})),[m,g]=b(e),[x,w]=b(-1),[p,f]=b(),S=se(()=>We(m,n),[m,n]),O=({text:h,start:$,end:y})=>{r.current!==null&&(r.current.value=h,r.current.setSelectionRange($,y),g(h),f(void 0))},A=(h,$)=>u.add(h,{time:Date.now(),isTyped:$}),_=h=>{h!==void 0&&(A(h,!1),O(h),i(h.text))};E(()=>{if(r.current===null||r.current.value===e)return;let h={text:e,start:0,end:0};A(h,!1),O(h)},[s]),E(()=>{a({goTo($,y){if(r.current===null)return;let T=Ne(r.current.value,$,y);r.current.focus(),r.current.setSelectionRange(T,T),l.current?.children[$-1]?.scrollIntoView({block:"nearest"})}});let h=()=>{let $=document.activeElement===r.current?r.current:null;w($===null?-1:ee($.value,$.selectionStart).line),f(y=>y!==void 0&&y.to===$?.selectionStart?y:void 0)};return document.addEventListener("selectionchange",h),()=>document.removeEventListener("selectionchange",h)},[]);let P=async(h,$)=>{let{value:y,selectionStart:T}=h,M=await De({text:y,cursor:T,isAsked:$},o);h.value===y&&h.selectionStart===T&&f(M)},I=({target:h,inputType:$,data:y})=>{let T=h,M=y?.length===1||$==="insertCompositionText";A(Be(T),M||$.startsWith("delete")),g(T.value),i(T.value),(M||p!==void 0)&&P(T,!1)},F=h=>{let $=h.target,y=()=>void P($,!0),T={selected:Be($),completion:p,setCompletion:f,edit:_,history:u,suggest:y},M=h.isComposing?void 0:Le(h,T);M!==void 0&&(h.preventDefault(),M())},J=({clientX:h,clientY:$,currentTarget:y})=>{let T=document.elementsFromPoint(h,$).find(M=>M.classList.contains("fault"));y.title=T?.getAttribute("title")??""},v=h=>p!==void 0&&_(U(m,p,h)),k=p!==void 0;return c`
    <div class="editor">
      <div class="sheet">
        <div class="lines" aria-hidden="true" ref=${l}>${xt(S,x)}</div>
        <textarea class="mono" ref=${r} defaultValue=${d} spellcheck=${!1} autocapitalize="off" rows="1"
          aria-label="Rule (YAML)" aria-autocomplete="list" aria-haspopup="listbox"
          aria-controls=${k?z:void 0} aria-activedescendant=${k?Q:void 0}
          onInput=${I} onKeyDown=${F} onMouseMove=${J}
          onBlur=${()=>f(void 0)}></textarea>
      </div>
      ${k&&c`
        <${Re} completion=${p} place=${wt(l.current,m,p.from)} take=${v} />
      `}
    </div>
  `}function Be({value:t,selectionStart:e,selectionEnd:s}){return{text:t,start:e,end:s}}function xt(t,e){let s=C([]);return s.current=t.map((n,o)=>{let i=JSON.stringify([n,o===e]),a=s.current[o];return a?.key===i?a:{key:i,element:bt(n,o===e)}}),s.current.map(({element:n})=>n)}function bt({parts:t,marks:e},s){let n=e.map(({message:o})=>o).join(`

`);return c`
    <div class=${`${e[0]?.severity??""} ${s?"current":""}`} title=${n||void 0}>${t.map(({text:o,color:i,mark:a})=>a===void 0?i==="plain"?o:c`<span class=${i}>${o}</span>`:c`<span class=${`fault ${i} ${a.severity}`} title=${a.message}>${o}</span>`)}</div>
  `}function wt(t,e,s){let n=t?.closest(".editor")?.getBoundingClientRect(),{line:o,column:i}=ee(e,s),a=t?.children[o];if(n===void 0||a===void 0)return{left:0,top:0};let r=document.createRange();r.selectNodeContents(a);let l=document.createTreeWalker(a,NodeFilter.SHOW_TEXT),d=i;for(let g=l.nextNode();g!==null;g=l.nextNode()){let x=g.nodeValue?.length??0;if(d<x){r.setStart(g,d),r.setEnd(g,d+1);break}d-=x}let{left:u,bottom:m}=Array.from(r.getClientRects()).at(-1)??a.getBoundingClientRect();return{left:u-n.left,top:m-n.top}}function Ue({examples:{results:t,isReadable:e},goTo:s}){let n=t.filter(Ve).length,o=e?t.length===0?"The rule has no examples.":n===0?`All ${t.length} pass: as a whole, by character, and split at every position.`:`${n} of ${t.length} ${n===1?"fails":"fail"}.`:"The examples run when the rule has no errors.";return c`
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Examples</h2>
      <p role="status" id="examples-summary" class=${n>0?"bad":"quiet"}>${o}</p>
      <ul class="examples">${t.map(i=>c`
          <li>
            <${yt} result=${i} goTo=${s} />
          </li>
        `)}</ul>
    </section>
  `}function Ve({failure:t,errors:e}){return t!==void 0||e.length>0}function yt({result:t,goTo:e}){let{name:s,kind:n,line:o,expected:i,failure:a,errors:r}=t,l=Ve(t),d=c`<button type="button" class="place" aria-label=${`${o}, go to this line`} onClick=${()=>e(o)}>${o}</button>`,u=a===void 0?"":[`Read ${a.how}`,...a.decisions].join("; "),m=c`<strong class=${l?"bad":"good"}>${l?"\u2717 fails":"\u2713 passes"}</strong>`;return c`
    ${[m," ",d,` ${s}${n==="untouched"?" (stays untouched)":""}`]}
    ${r.map(g=>c`<span class="block bad">${g}</span>`)}
    ${a!==void 0&&c`
      <span class="block quiet">${u}</span>
      <dl class="compare">
        <dt>Expected</dt>
        <dd>
          <pre class="box" tabindex="0">${Ye(i)}</pre>
        </dd>
        <dt>Got</dt>
        <dd>
          <pre class="box" tabindex="0">${Ye(a)}</pre>
        </dd>
      </dl>
    `}
  `}function Ye({text:t,calls:e}){let s=e.map(({tool:n,arguments:o})=>`${n} ${JSON.stringify(o)}`);return[JSON.stringify(t),...s].join(`
`)}function je({setup:t,rule:e,check:s,examples:n,link:o,saved:i}){let[a,r]=b({isSaved:!0,message:""});E(()=>r({isSaved:!0,message:""}),[e]);let l=async(f,S)=>{let O=await navigator.clipboard.writeText(S).then(()=>!0,()=>!1);r({isSaved:O,message:O?`${f} is copied.`:`The browser doesn't allow copying: ${S}`})},d=()=>o().then(f=>l("The link",f),({message:f})=>r({isSaved:!1,message:`${f}.`})),u=async()=>{try{let{file:f,exampleCount:S}=await ae("rules",e,"application/yaml"),O=D(S,"example passes","examples pass");r({isSaved:!0,message:`Saved ${f}: ${O}. The running proxy uses it now.`}),i()}catch(f){r({isSaved:!1,message:re(f)})}},m=N(t).some(({name:f,isOwn:S})=>S&&f===s.name),g=`${t.folder}/${s.name}.yaml`,x=s.name!==""&&s.diagnostics.every(({severity:f})=>f!=="error")&&n?.isReadable===!0&&n.results.every(({failure:f,errors:S})=>f===void 0&&S.length===0),{saving:w}=t,p=w.isPossible?x?s.replaces&&!m?`It replaces the shipped rule ${s.name} in this proxy.`:"":s.name===""?"Choose a rule, or derive one from the answer, to edit and save it.":"You can save a rule once it has no errors and its examples pass.":`${w.message}: ${w.help}.`;return c`
    <div class="actions">
      ${w.isPossible&&s.name!==""&&c`
        <button type="button" class="main" disabled=${!x} onClick=${u}>${m?"Replace":"Save as"} ${g}</button>
      `}
      <button type="button" onClick=${()=>l("The YAML",e)}>Copy YAML</button>
      <button type="button" onClick=${d}>Copy link</button>
    </div>
    <p class="quiet small">${p}</p>
    <p role="status" id="saved" class=${a.isSaved?"good":"bad"}>${a.message}</p>
  `}var kt=[];function Fe(t){let{setup:e,rule:s,revision:n,check:o,examples:i,replace:a,derived:r}=t,l=C(),d=N(e),u=new Set(d.map(({name:p})=>p)),m=({target:p})=>{let{value:f}=p;a(f===""?"":f==="+"?St(e)+Oe(H(B,u)):d.find(({name:S})=>S===f)?.text??"")},g=p=>d.filter(f=>f.isOwn===p).map(({name:f})=>c`<option value=${f}>${f}</option>`),x=r.message!==""&&r.rule===void 0,w=s.trim()===""?"":u.has(o?.name??"")?o?.name:"+";return c`
    <section aria-labelledby="rule-title">
      <h2 id="rule-title">Rule</h2>
      <div class="fields">
        <div>
          <label for="rule-name">Edit</label>
          <select id="rule-name" value=${w} onInput=${m}>
            <option value="">no rule</option>
            <option value="+">a new rule</option>
            ${g(!0).length>0&&c`<optgroup label="Your rules">${g(!0)}</optgroup>`}
            <optgroup label="Shipped rules">${g(!1)}</optgroup>
          </select>
        </div>
        <button type="button" class="derive" onClick=${t.derive}>Derive a rule from the answer</button>
      </div>
      <p role="status" class="small">${r.message}</p>
      <${He} text=${s} revision=${n} diagnostics=${o?.diagnostics??kt}
        complete=${t.complete} changed=${t.change} ready=${p=>void(l.current=p)} />
      ${o===void 0?"":c`
        <${Et} name=${x?"":o.name} diagnostics=${o.diagnostics} goTo=${(p,f)=>l.current?.goTo(p,f)} />
      `}
      ${o===void 0?"":c`
        <${je} setup=${e} rule=${s} check=${o} examples=${i}
          link=${t.link} saved=${t.saved} />
      `}
    </section>
    ${i===void 0?"":c`<${Ue} examples=${i} goTo=${p=>l.current?.goTo(p,1)} />`}
  `}function St({schema:t}){return`# yaml-language-server: $schema=${t}
`}function Et({name:t,diagnostics:e,goTo:s}){if(e.length===0){let n=t===""?"":`The rule ${t} has no errors.`;return c`<p role="status" class="good small" id="problems">${n}</p>`}return c`
    <div role="status" id="problems">
      <ul class="problems" aria-label="Errors and warnings">
        ${e.map(n=>c`<li>${Tt(n,s)}</li>`)}
      </ul>
    </div>
  `}function Tt({severity:t,message:e,line:s=1,column:n=1,expected:o,help:i,code:a},r){let l=`${s}:${n}, go to this location`;return[c`
      <button type="button" class="place" aria-label=${l}
        onClick=${()=>r(s,n)}>${s}:${n}</button>
    `," ",c`<strong class=${t==="error"?"bad":"warn"}>${t}</strong>`," ",R(e)," ",c`<code class="quiet">${a}</code>`,o===void 0?"":c`<span class="block quiet">Expected: ${R(o)}</span>`,i===void 0?"":c`<span class="block quiet help">${R(i)}</span>`]}var j=class{#t;#e=new Map;#n=new Map;#o=0;#s="";constructor(e){this.#t=e,e.onmessage=({data:s})=>{this.#s="",this.#i(s)},e.onerror=({message:s})=>{this.#s=`The engine isn't running: ${s||"it can't be loaded"}`;for(let{id:n}of this.#e.values())this.#r(n)}}use(e){this.#t.postMessage({kind:"setup",setup:e})}ask(e,s,n){this.forget(e),this.#n.set(e,setTimeout(()=>this.askNow(e,s,n),150))}askNow(e,s,n){this.forget(e);let o=++this.#o;this.#e.set(e,{id:o,take:n}),this.#t.postMessage({kind:e,id:o,question:s}),this.#s!==""&&this.#r(o)}answer(e,s){return new Promise((n,o)=>this.askNow(e,s,(i,a)=>{i===void 0?o(new Error(a)):n(i)}))}close(){for(let e of this.#n.values())clearTimeout(e);this.#t.terminate()}forget(e){clearTimeout(this.#n.get(e)),this.#n.delete(e),this.#e.delete(e)}#r(e){this.#i({kind:"failed",id:e,message:this.#s})}#i(e){let[s,n]=[...this.#e].find(([,{id:o}])=>o===e.id)??[];s===void 0||n===void 0||(this.#e.delete(s),e.kind==="failed"?n.take(void 0,e.message):n.take(e.answer,""))}};function Je(){return new Worker(new URL("./playground/worker.js",import.meta.url),{type:"module"})}function Ke(t){let[e,s]=b(),[n,o]=b({}),[i,a]=b(""),r=C();r.current??=new j(Je());let l=r.current;E(()=>()=>l.close(),[l]);let d=oe(async()=>{try{let p=await ie("playground");l.use(p),s(p),a("")}catch(p){a(p instanceof Error?p.message:String(p))}},[l]);E(()=>void d(),[d]);let u=(p,f)=>{f===""&&o(S=>({...S,...p})),a(f)},{text:m="",tools:g="",client:x="",rule:w=""}=t??{};return E(()=>{t!==void 0&&l.ask("trace",{text:m,tools:g,client:x,rule:w},(p,f)=>u(p===void 0?{}:{trace:{text:m,found:p}},f))},[l,e,m,g,x,w]),E(()=>{if(w.trim()==="")return l.forget("check"),l.forget("examples"),o(({trace:p})=>L({trace:p}));l.ask("check",{rule:w},(p,f)=>u(L({check:p}),f)),l.ask("examples",{rule:w},(p,f)=>u(L({examples:p}),f))},[l,e,w]),{setup:e,client:l,newest:n,failure:i,reload:d}}var Xe="s",Ot="from",Ct="derive",Ge="rule",ne={message:""};function ze({parameters:t}){let[e,s]=b(),[n,o]=b(0),[i,a]=b(""),[r,l]=b(ne),[d,u]=b(!1),[m,g]=b(""),{setup:x,client:w,newest:p,failure:f,reload:S}=Ke(e);E(()=>{let v=t.has(Ct),k=t.get(Ge)??"";Mt(t).then(({contents:h,notice:$})=>{a($),l(ne),u(v),g(k),s(h),o(y=>y+1)})},[t]),E(()=>{e!==void 0&&he(e)},[e]),E(()=>{!d||x===void 0||e===void 0||(u(!1),I())},[d,x,e]),E(()=>{m===""||x===void 0||e===void 0||(g(""),P(m))},[m,x,e]);let O=v=>{let k=v.text!==void 0||v.tools!==void 0,h=v.rule!==void 0;l($=>k||h&&$.rule===void 0?ne:$),s($=>({...$??G,...v}))},A=v=>{O({rule:v}),o(k=>k+1)},_=x===void 0?[]:N(x),P=v=>A(_.find(k=>k.name===v)?.text??""),I=async()=>{if(e===void 0)return;l({message:"Deriving\u2026"});let v=H(B,new Set(_.map(h=>h.name))),k=await ye(w,{...e,name:v});k.rule!==void 0&&A(k.rule),l(k),document.getElementById("rule-title")?.scrollIntoView({block:"nearest"})};if(x===void 0||e===void 0)return c`
      <h1>Playground</h1>
      <p class=${`empty ${f===""?"":"bad"}`}>${f||"Loading\u2026"}</p>
    `;let F=async v=>O(await w.answer("open",{text:v}).catch(()=>({text:v}))),J=async()=>{let v=new URL(location.href);return v.hash=K("playground",{[Xe]:await ve(e)}),v.href};return c`
    <h1>Playground</h1>
    <p
      class="quiet">See how Dragoman converts an answer, and create a rule for one that no rule reads. Nothing leaves the
      browser${x.saving.isPossible?" until you save a rule":""}. Plugins don't run here.</p>
    ${i!==""&&c`<p role="alert" class="warn">${i}</p>`}
    ${f!==""&&c`<p role="alert" class="bad">${f}</p>`}
    <div class="playground">
      <div>
        <${we} play=${e} change=${O} open=${F} clients=${x.clients.map(({client:v})=>v)} />
      </div>
      <div class="found">
        ${p.trace!==void 0&&c`<${Se} text=${p.trace.text} found=${p.trace.found} edit=${P} />`}
      </div>
      <div>
        <${Fe} setup=${x} rule=${e.rule} check=${p.check} examples=${p.examples}
          revision=${n} change=${v=>O({rule:v})} replace=${A} derive=${I} derived=${r}
          complete=${async(v,k)=>(await w.answer("complete",{path:v,isValue:k})).choices}
          link=${J} saved=${S} />
      </div>
    </div>
  `}async function Mt(t){let e=t.get(Xe),s=t.has(Ot),n=$e(),o=e===null?void 0:await xe(e),i=s?le():void 0;(e!==null||s||t.has(Ge))&&history.replaceState(null,"",K("playground"));let a=e!==null&&o===void 0?"The link is damaged, so the playground shows its previous contents.":"";if(i===void 0)return{contents:o??n??G,notice:a};let{text:r,client:l,chat:d}=i;return{contents:{text:r,client:l??"",tools:d??"",rule:n?.rule??""},notice:a}}var Qe="app/playground/playground.css";async function is(){if(document.querySelector(`link[href="${Qe}"]`)===null){let t=document.createElement("link");t.rel="stylesheet",t.href=Qe,await new Promise(e=>{t.onload=t.onerror=e,document.head.append(t)})}return ze}export{is as loadPlayground};
