import{a as E,b,c as ne,d as se}from"./chunk-962ab398.js";import{b as H}from"./chunk-637b0b80.js";import{a as P,b as W}from"./chunk-17671dbd.js";import"./chunk-e8bd4cc0.js";import{a as z,b as X,c as o,d as $,e as w,f as k,g as q,i as x,j as T,k as Y,l as Q,m as O,n as K,o as N,p as I,r as M,s as Z,t as L,u as ee,v as te,w as v}from"./chunk-c371a21e.js";import"./chunk-ff9e0dca.js";function re({servers:e=[],learnedTools:t=[],learnedChanges:n=[]}){return[...e.map(({upstream:s,server:a,version:r="",begins:i="",context:c,why:l,warning:u})=>[`${s}: ${a} ${r}`.trim(),c===void 0?"":`${c} tokens of context`,Re[i],l,u].filter(Boolean).join(", ")),...t.map(({upstream:s,model:a,reason:r,dialect:i})=>{let c=i===""?"read raw":`tools in the prompt (${i})`;return`${s}, ${a||"any model"}: ${c}, because of ${oe[r]??r}`}),...n.map(({upstream:s,model:a,changes:r})=>{let i=Ce.filter(c=>r.some(l=>l[c]!==void 0));return`${s}, ${a||"any model"}: ${i.join(", ")} changed, because of ${oe.refused}`})].join(`
`)}var Ce=["messages","fields","schemas","ids","tool_choice"],Re={raw:"raw mode from the first request",prompted:"tools in the prompt from the first request"},oe={refused:"a refused request",refused_calls:"a refused conversation that contained calls",unparsed:"the server's parser"};function ae(e,t){for(let n of e.keys()){if(e.size<=t)return;e.delete(n)}}function j(e){let{mode:t,calls:n,called:s,leftAsText:a,failed:r,lost:i,refused:c,dropped:l,repaired:u,nearMisses:p}=e,d=Object.entries(a),m=d.reduce((h,[,A])=>h+A,0),f=d.map(([h,A])=>A===1?h:`${A} ${h}`),g=d.length===1?[d[0][0]]:f,y=t==="live"?"made":"would",S=t==="live"?"":t==="dry_run"?"(not converted: dry run)":"(not converted: canary)";return[[y,n,Ne(s,n),S],["lost",i,`${i} ${b.lost.word}`],["broken",r,`${r} ${b.broken.word}`],["refused",c,`${c} ${b.refused.word}`],["near",p,O(p,"near miss","near misses")],["left",m,`${m} ${b.left.word}`,`(${g.join(", ")})`],["dropped",l,`${l} ${b.dropped.word}`],["repaired",u,O(u,"repair")]].filter(([,h])=>h>0).map(([h,,A,Ee=""])=>({end:h,text:A,more:Ee}))}var Ae=3;function Ne(e,t){let n=new Map;for(let r of e)n.set(r,(n.get(r)??0)+1);if(n.size===0)return O(t,"call");let s=[...n].slice(0,Ae),a=t-s.reduce((r,[,i])=>r+i,0);return s.map(([r,i])=>`${r} \xD7${i}`).join(", ")+(a>0?`, ${a} more`:"")}function R({state:e}){return e==="waiting"||e==="streaming"}var ie=["text","client","model","upstream","wire","key","state"],Me=500,Le=50,_=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);ae(this.#e,Me)}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function le(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.wire===""||(s.wire??"none")===t.wire)&&(t.key===""||(s.key??"none")===t.key)&&(t.state===""||De(s,t.state))&&(n.length===0||qe(s,n)))}function ce(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,Le).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n),wire:t(({wire:n})=>n),key:t(({key:n,route:s})=>s===null?n??"none":n)}}function je(e){return e.rejected>0||j(e).some(({end:t})=>t!=="made"&&t!=="would")}function De(e,t){return t==="running"?R(e):t==="noted"?je(e):e.state===t}function qe(e,t){let{client:n,model:s,upstream:a,wire:r,key:i,error:c,message:l,route:u,status:p,mode:d,id:m}=e,f=[n,s,a,r,i,c,u,l,...j(e).map(({text:g,more:y})=>`${g} ${y}`),...e.remarks,p,d,m].join(`
`).toLowerCase();return t.every(g=>f.includes(g))}var Ie=2e3,Pe=50,_e={requests:[],hasContents:!1,state:"connecting"};function ue(){let[e,t]=$(_e),n=k(new _).current;return w(()=>{let s,a,r,i=0,c=-1/0,[l,u]=[!1,!1],p=()=>{r=void 0,u&&(setTimeout(()=>c=performance.now()),t({requests:n.latest,hasContents:l,state:"open"}))},d=()=>{let y=Math.max(0,Pe-(performance.now()-c));r??=setTimeout(()=>i=requestAnimationFrame(p),y)},m=()=>{s?.close(),s=void 0,u=!1},f=()=>{clearTimeout(a),!(document.hidden||s!==void 0)&&(s=new EventSource("live"),s.onmessage=({data:y})=>{let S=JSON.parse(y);n.apply(S),[l,u]=[S.hasContents,!0],d()},s.onerror=()=>{m(),t(y=>({...y,state:"lost"})),a=setTimeout(f,Ie)})},g=()=>document.hidden?m():f();return f(),document.addEventListener("visibilitychange",g),()=>{document.removeEventListener("visibilitychange",g),m(),clearTimeout(a),clearTimeout(r),cancelAnimationFrame(i)}},[]),e}function de(e){let[t,n]=$(),s=k({...e,selected:t});return s.current={...e,selected:t},w(()=>{let a=r=>{if(r.ctrlKey||r.metaKey||r.altKey||r.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:u,acts:p}=s.current,d=Fe(r,He(r.target)),m=r.target?.closest?.("a, button, summary")!=null;if(!(d===void 0||d==="open"&&m))if(d==="filter")r.preventDefault(),document.getElementById("filter")?.focus();else if(d==="leave")r.target.blur();else if(d==="pause"||d==="clear"||d==="help")p[d]();else if(d==="close")l("");else if(d==="open")u!==void 0&&l(u);else{let f=Ke(i,{from:u??c,step:d});n(f),c!==void 0&&f!==void 0&&l(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Fe({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter";case"p":return"pause";case"c":return"clear";case"?":return"help"}}function Ke(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function He(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var U={waiting:"waiting",streaming:"streaming",done:"done",cut:"cut off",error:"error",left:"client left"},F=class extends z{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:a}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==a}render({request:t,isOpened:n,isSelected:s,open:a}){let{id:r,state:i,beganAt:c,model:l,client:u,upstream:p,wire:d,key:m,firstMs:f,durationMs:g,route:y}=t,S=C=>{C.preventDefault(),a(r)};return o`
      <tr id=${`row-${r}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${S}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${U[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${r}`} title=${N(c)} aria-label=${`Open the request of ${K(c)}`}>${K(c)}</a></td>
        <td class="c-model" title=${l??""}><span>${y===null?l??x:o`<code>${y}</code>`}</span></td>
        <td class="c-client">${u??x}</td>
        <td class="c-key" title=${m??""}>${[d,m].filter(C=>C!==null).join(" \xB7 ")||x}</td>
        <td class="c-upstream">${p??x}</td>
        <td class="number c-status">${J(t)}</td>
        <td class="number c-first">${T(f)}</td>
        <td class="number c-total">${g===null?"\u2026":T(g)}</td>
        <td class="c-calls">
          <${V} request=${t} />
        </td>
      </tr>
    `}};function We(e){return e.split(/(?<=_)/).map((t,n)=>[n>0&&o`<wbr />`,t])}function J({status:e,state:t}){return e===null?"\u2026":t==="error"&&e<400?`${e} error`:String(e)}function V({request:e}){let{accepted:t,rejected:n,remarks:s,error:a,message:r,tried:i}=e;return o`
    ${j(e).map(({end:c,text:l,more:u})=>o`<span class=${`chip ${b[c].color}`} title=${`${l} ${u}`}>${l}${u===""?"":[" ",o`<span class="why">${u}</span>`]}</span>`)}
    ${t>0&&o`<span class="chip good">${t} accepted</span>`}
    ${n>0&&o`<span class="chip bad">${n} rejected</span>`}
    ${s.map(c=>o`<span class="chip plain">${c}</span>`)}
    ${a!==null&&o`<span class=${`chip ${a==="client_left"?"plain":"bad"}`} title=${r??""}>${We(a)}${r===null?"":o`<span class="why">: ${r}</span>`}</span>`}
    ${i.length>0&&o`<span class="chip warn">after ${i.join(", ")}</span>`}
  `}function pe({parts:e,isRunning:t,marks:n,focused:s,focus:a}){return e.every(({text:r})=>r==="")?o`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:o`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(r=>{let i=r.marks.flatMap(m=>n[m]===void 0?[]:[n[m]]);if(i.length===0)return r.text;let c=ne.find(m=>i.some(f=>f.end===m))??"remark",{color:l,word:u}=b[c],p=i.map(({reason:m,rule:f})=>`${m} (${f})`).join(`
`),d=s!==void 0&&r.marks.includes(s);return o`
        <mark class=${`${l} ${d?"focused":""}`} title=${`${u}: ${p}`}
          onMouseEnter=${()=>a(r.marks[0])} onMouseLeave=${()=>a(void 0)}>${r.text}</mark>
      `})}</pre>
  `}function me({parts:e,isRunning:t}){return e.length===0?o`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:o`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?Ue(n):o`<${Ve} part=${n} tool=${n.tool} />`)}</div>
  `}function Ue({text:e,call:t,isReasoning:n}){return n?o`
      <div class="reasoning" role="group" aria-label="Reasoning">
        <div class="quiet">Reasoning</div>
        <pre>${e}</pre>
      </div>
    `:t===null?o`<pre>${e}</pre>`:o`<pre class="written"><mark class="good">${e}</mark></pre>`}var Je={open:"is still written",done:"whole",broken:"broke off"};function Ve({part:e,tool:t}){let{text:n,state:s}=e;return o`
    <div class=${`made ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&Je[s]}</span></div>
      <pre>${Be(n)}</pre>
    </div>
  `}function Be(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Ge=200;function fe(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[$e("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[ze(n)]:[],...Array.isArray(t)?t.map(Xe):[]]}function ze(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:O(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Xe(e){let{role:t,content:n,...s}=Object(e),a=Ye(n),r=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return $e(String(t??"message"),[a,r].filter(i=>i!=="").join(`

`))}function Ye(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function $e(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Ge),text:t}}function he({client:e,isStreamed:t},{chat:n,origin:s}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Qe(n)}
`}function ge(e){let t=JSON.stringify({model:"any",messages:[{role:"user",content:"Hello"}]});return`curl ${e}/v1/chat/completions \\
  -H 'content-type: application/json' \\
  -d '${t}'
`}function Qe(e){return`'${e.replaceAll("'","'\\''")}'`}var Ze=300;function ye({request:e,hasContents:t,close:n}){let{detail:s,failure:a}=rt(e),[r,i]=$(),c=k(null);w(()=>c.current?.focus(),[]);let l=s?.contents??null,u=ot(e,{hasContents:t,detail:s});return o`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${it} request=${e} detail=${s} />
      </div>
      <${et} request=${e} />
      ${e.state==="error"&&o`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&o`, error <code>${e.error}</code>`}${e.message!==null&&o`: ${e.message}`}.${s?.errorMeaning!=null&&o`
            <span class="block">${P(s.errorMeaning)}</span>
          `}</p>
      `}
      ${e.nearMisses>0&&o`<${lt} request=${e} detail=${s} />`}
      ${a!==""&&o`<p class="notice bad" role="alert">${a}</p>`}
      ${l===null||u!==void 0?o`<p class="notice">${P(u??"")}</p>`:o`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${pe} parts=${l.before} isRunning=${R(e)} marks=${s?.marks??[]} focused=${r}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${me} parts=${l.after} isRunning=${R(e)} />
            </section>
          </div>
          ${l.isCut&&o`<p class="notice">The contents are long, so only the beginnings are stored.</p>`}
        `}
      ${s!==void 0&&(e.client!==null||s.marks?.length)&&o`
        <${ct} marks=${s.marks} isRunning=${R(e)} focused=${r} focus=${i} />
      `}
      ${l?.chat!=null&&o`<${at} chat=${l.chat} />`}
    </article>
  `}function et({request:e}){let{client:t,wire:n,key:s,tried:a,upstream:r,mode:i,firstMs:c,durationMs:l,addedMs:u,tools:p,tokens:d,beganAt:m,state:f,isStreamed:g}=e,y=[["State",U[f]],["Status",J(e)],["Arrived",N(m)],["First token",T(c)],["Total",l===null?"\u2026":T(l)],["Dragoman\u2019s share",T(u)],["Client",t??"unknown"],["API",n??x],["Client key",s??"without a name"],["Upstream",(r??x)+(a.length===0?"":`, after ${a.join(", ")}`)],["Offered tools",p],["Prompt",tt(e)],["Tokens",d==null?x:Q(d)],["Conversation",nt(e)],["Answer",g?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[i]]];return o`
    <dl class="facts">${y.map(([S,C])=>o`
        <div>
          <dt>${S}</dt>
          <dd>${C}</dd>
        </div>
      `)}</dl>
    <${st} request=${e} />
    <p class="remarks">
      <${V} request=${e} />
    </p>
  `}function tt({promptTokens:e,cachedTokens:t}){return e===void 0?x:t===void 0?`${e} tokens`:`${e} tokens: ${e-t} new, ${t} from the cache`}function nt({conversationPrompts:e}){if(e===void 0||e.tokens===0)return x;let{requests:t,tokens:n,cached:s}=e,a=Math.round((n-s)/n*100);return`${O(t,"request")} so far: ${a}% of ${n} tokens new`}function st({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return o`
    <div class="timing" role="img" aria-label=${`${T(e)} until the first token, ${T(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `}function ot({client:e,route:t,upstream:n,choices:s},{hasContents:a,detail:r}){if(r===void 0)return"Loading\u2026";let i=r.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null&&r.contents?.before.length===0?"The client is unknown, or it offers no tools, so the answer passed unchanged.":s!==1?`The request asks for ${s} answers. Their text would be mixed together, so the page doesn't keep it.`:i?void 0:"The contents of this request are no longer stored."}function rt(e){let[t,n]=$(),[s,a]=$(""),r=k(-1),{id:i,accepted:c,rejected:l}=e,u=R(e);return w(()=>{let p=!0,d=async()=>{try{let f=await Z(`live/${encodeURIComponent(i)}?version=${r.current}`);if(!p||(a(""),f===void 0))return;r.current=f.version,n(f)}catch(f){p&&a(M(f))}};d();let m=u?setInterval(()=>document.hidden||void d(),Ze):void 0;return()=>{p=!1,clearInterval(m)}},[i,u,c,l]),{detail:t,failure:s}}function at({chat:e}){let t=q(()=>fe(e),[e]);return o`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:s,text:a})=>o`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${s}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function it({request:e,detail:t}){let[n,s]=$(""),[a,r]=$(!1),i=t?.contents;if(i==null)return null;let{chat:c,before:l}=i,u=l.map(d=>d.text).join("");return o`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${c!==null&&o`<button onClick=${async()=>{let d=he(e,{chat:c??"",origin:location.origin}),f=await navigator.clipboard?.writeText(d).then(()=>!0,()=>!1)??!1;r(f),s(f?"":d)}} title="The command doesn't include the key">Copy as curl</button>`}
      ${u!==""&&o`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void W({text:u,client:e.client,chat:c})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&o`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}function lt({request:e,detail:t}){let{client:n,command:s}=e,a=t?.contents??null,r=a?.before.map(c=>c.text).join("")??"",i=()=>void W({text:r,client:n,chat:a?.chat??null});return o`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${r!==""&&o`
        <p><a class="button main" href=${v("playground",{from:"live",derive:"1"})}
            onClick=${i}>Derive a rule in the playground</a></p>
      `}
      ${s!==null&&o`
        <p>On the command line:</p>
        <${B} command=${s} />
      `}
      ${r===""&&o`
        <p>The text of this answer isn’t stored, so no rule can be derived from it here. To store the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${s===null&&o`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `}function B({command:e}){let[t,n]=$("");return o`
    <pre class="text" tabindex="0" aria-label="The command">${e}</pre>
    <p><button onClick=${async()=>{let r=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??!1;n(r?"Copied":"The browser doesn\u2019t allow copying: select the command")}}>Copy the command</button> <span role="status" class="quiet">${t}</span></p>
  `}function ct({marks:e,isRunning:t,focused:n,focus:s}){return e===null?o`<p class="empty">The decisions of this request are no longer stored.</p>`:e.length===0?o`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:o`
    <h2>Decisions, repairs, and remarks</h2>
    <ol class="marks">${e.map((a,r)=>o`
        <li class=${r===n?"focused":""} onMouseEnter=${()=>s(r)}
          onMouseLeave=${()=>s(void 0)}>
          <${ut} mark=${a} />
        </li>
      `)}</ol>
  `}function ut({mark:{end:e,reason:t,rule:n,tool:s,detail:a,atMs:r,characters:i}}){let{word:c,color:l}=b[e],u=[s===null?"":s,n===""?"":`rule ${n}`,a??"",i===null?"":`${i} characters`].filter(p=>p!=="").join(" \xB7 ");return o`
    <span class=${`chip ${l}`}>${c}</span>
    <code>${t}</code>
    <span>${u}</span>
    ${r!==null&&o`<span class="quiet">after ${T(r)}</span>`}
    <span class="quiet block">${P(H(t)?.meaning??"")}</span>
  `}var dt=60;function be({parameters:e}){let{live:t,isPaused:n,pause:s,clear:a}=pt(ue()),[r,i]=$(!1),c=Object.fromEntries(ie.map(h=>[h,e.get(h)??""])),l=q(()=>le(t.requests,c),[t.requests,e.toString()]),u=$t(t.requests,e.get("request")),[p,d]=$(!1),m=p?l:l.slice(0,dt),f=h=>{location.replace(v("live",{...Object.fromEntries(e),...h}))},g=h=>f({request:h}),y=()=>i(h=>!h),S={pause:s,clear:a,help:y},C=de({ids:m.map(({id:h})=>h),opened:u?.id,open:g,acts:S});return o`
    <div class=${`live ${u===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${u===void 0&&o`<h1 class="unseen">Requests</h1>`}
        <${gt} filter=${c} requests=${t.requests} go=${f}>
          <button type="button" onClick=${s} aria-pressed=${n} title="p">${n?"Go on":"Pause"}</button>
          <button type="button" onClick=${a} title="Hide the requests so far (c)">Clear</button>
          <button type="button" onClick=${y} aria-expanded=${r} aria-label="Keys" title="Keys (?)">?</button>
        <//>
        ${r&&o`<${ft} />`}
        <${bt} live=${t} shown=${l.length} />
        <${wt} requests=${m} opened=${u?.id} selected=${C} open=${g} />
        ${m.length<l.length&&o`
          <button class="more" onClick=${()=>d(!0)}>Show ${l.length-m.length} more</button>
        `}
      </section>
      ${u!==void 0&&o`
        <${ye}
          key=${u.id} request=${u} hasContents=${t.hasContents} close=${()=>g("")} />
      `}
    </div>
  `}function pt(e){let[t,n]=$(),[s,a]=$(0),r=t??e;return{live:s===0?r:{...r,requests:r.requests.filter(({beganAt:i})=>i>s)},isPaused:t!==void 0,pause:()=>n(t===void 0?e:void 0),clear:()=>a(Math.max(s,...r.requests.map(({beganAt:i})=>i)))}}var mt={"j k":"select the next or the previous request",Enter:"open it",Esc:"close it","/":"filter",p:"pause",c:"clear","?":"show these keys"};function ft(){return o`
    <dl class="notice keys">${Object.entries(mt).map(([e,t])=>o`
        <div>
          <dt><kbd>${e}</kbd></dt>
          <dd>${t}</dd>
        </div>
      `)}</dl>
  `}function $t(e,t){let n=k(),s=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??s}var ht={running:"running",done:"done",cut:"cut off",error:"error",left:"client left",noted:"with remarks"};function gt({filter:e,requests:t,go:n,children:s}){let a=ce(t),r=l=>u=>n({[l]:u.target.value}),i=(l,u,p)=>o`
      <select aria-label=${u} value=${e[l]} onChange=${r(l)}>
        <option value="">${u}</option>
        ${p.map(([d,m])=>o`<option value=${d}>${m}</option>`)}
      </select>
    `,c=l=>[...new Set([...a[l],...e[l]===""?[]:[e[l]]])].map(u=>[u,u]);return o`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${r("text")} />
      ${i("client","All clients",c("client"))}
      ${i("model","All models",c("model"))}
      ${i("upstream","All upstreams",c("upstream"))}
      ${i("wire","All APIs",c("wire"))}
      ${yt(a.key,e.key)&&i("key","All client keys",c("key"))}
      ${i("state","All states",Object.entries(ht))}
      ${s}
    </form>
  `}function yt(e,t){return t!==""||e.some(n=>n!=="none")}function bt({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?o`<p class="empty">Loading…</p>`:s==="lost"?o`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?o`
      <div class="empty">
        <p>No requests yet. Set your agent's base URL to <code>${location.origin}/v1</code>, or try it:</p>
        <${B} command=${ge(location.origin)} />
      </div>
    `:t>0?null:o`<p class="empty">No request matches the filter.</p>`}function wt({requests:e,opened:t,selected:n,open:s}){return e.length===0?null:o`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-key">API and key</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(a=>o`
              <${F} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${s} />
            `)}
        </tbody>
      </table>
    </div>
  `}function we(){let{value:e,error:t}=E("plugins",5e3),{value:n,error:s,reload:a}=E("sections/store",3e3),r=t??s,i=async c=>{await L(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),a()};return o`
    <h1>Plugins</h1>
    ${r!==void 0&&o`<p class="notice bad" role="alert">${r.message}</p>`}
    ${e===void 0?o`<p class="empty">Loading…</p>`:o`<${kt} plugins=${e} />`}
    <h2>Stored values</h2>
    ${n===void 0||n.length===0?o`<p class="empty">None. Plugins store, for example, a conversation's strikes or queued calls.</p>`:o`<${xt} entries=${n} reset=${i} />`}
  `}function vt(e){return JSON.stringify(e,void 0,1).replace(/(?<=[[{])\n *|\n *(?=[\]}])/g,"").replace(/\n */g," ")}function kt({plugins:e}){return e.length===0?o`<p class="empty">No plugins. To add some, set <code>plugins</code> in dragoman.yaml.</p>`:o`
    <ol class="plugins">${e.map(({name:t,description:n,options:s,onFailure:a})=>o`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&o`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&o`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(s).map(([r,i])=>o`
              <div>
                <dt><code>${r}</code></dt>
                <dd><code>${vt(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function xt({entries:e,reset:t}){return o`
    <div class="wide stored" tabindex="0" role="region" aria-label="Stored values">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Expires in</th>
            <th scope="col"><span class="unseen">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({key:n,value:s,leftSeconds:a})=>o`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(s)}</td>
                <td class="number">${I(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var D=["made","would","left","broken","lost","repaired"];function ke({parameters:e}){let{value:t,error:n}=E("rules",5e3),[s,a]=$(!1),[r,i]=[e.get("text")??"",e.get("rule")??""];if(n!==void 0&&t===void 0)return o`<p class="empty bad">${n.message}</p>`;if(t===void 0)return o`<p class="empty">Loading…</p>`;let c=d=>location.replace(v("rules",{text:d.target.value})),l=St(t,r),u=!s&&r===""&&l.some(ve),p=u?l.filter(d=>ve(d)||d.rule===i):l;return o`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:d})=>d===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${d=>d.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${r} onInput=${c} />
    </form>
    ${p.length===0?o`<p class="empty">No rule matches the filter.</p>`:o`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table class="rules" role="table">
          <thead role="rowgroup">
            <tr role="row">
              ${["Rule","State","Confidence"].map((d,m)=>o`<th scope="col" role="columnheader" class=${m===2?"number":""}>${d}</th>`)}
              ${D.map(d=>o`<th scope="col" role="columnheader" class="number">${b[d].title}</th>`)}
            </tr>
          </thead>
          <tbody role="rowgroup">${p.map(d=>Tt(d,{text:r,isOpen:d.rule===i}))}</tbody>
        </table>
      </div>
    `}
    ${u&&o`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function ve({hits:e}){return D.some(t=>(e[t]??0)>0)}function St(e,t){let n=a=>D.reduce((r,i)=>r+(a.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:a,description:r})=>`${a}
${r}`.toLowerCase().includes(s)).toSorted((a,r)=>n(r)-n(a)||+(a.whyOff!==null)-+(r.whyOff!==null)||(a.rule<r.rule?-1:1))}function Tt({rule:e,description:t,whyOff:n,confidence:s,hits:a},{text:r,isOpen:i}){let c=v("rules",{text:r,rule:i?"":e}),u=o`
    <tr key=${e} role="row" class="row" onClick=${({target:p})=>{p.closest("a")===null&&location.assign(c)}}>
      <th scope="row" role="rowheader"><a href=${c} aria-expanded=${i}><code>${e}</code></a><span
          class="quiet block">${t}</span></th>
      <td role="cell">${n===null?o`<span class="chip good">on</span>`:o`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td role="cell" data-head="Confidence" class="number">${s.toFixed(2)}</td>
      ${D.map(p=>o`
          <td role="cell" data-head=${b[p].title} class=${`number ${a[p]===void 0?"none":""}`}>${a[p]??o`<span class="quiet">–</span>`}</td>
        `)}
    </tr>
  `;return i?[u,o`
      <tr key=${`${e} opened`} role="row" class="opened">
        <td role="cell" colspan=${D.length+3}>
          <${Et} rule=${e} />
        </td>
      </tr>
    `]:u}var Ot=5e3;function Et({rule:e}){let{value:t,error:n}=E(`rule?name=${encodeURIComponent(e)}`,Ot);if(n!==void 0&&t===void 0)return o`<p class="bad">${n.message}</p>`;if(t===void 0)return o`<p class="quiet">Loading…</p>`;let{file:s,name:a,text:r,decisions:i}=t;return o`
    <p class="actions">
      <a class="button" href=${v("playground",{rule:a})}>Edit in the playground</a>
      <a class="button" href=${v("figures",{of:`rule ${e}`})}>Figures over time</a>
    </p>
    <h2>The last decisions</h2>
    ${i.length===0?o`<p class="quiet">This rule made none of the last decisions.</p>`:o`
      <ol class="marks">${i.map(({end:c,reason:l,tool:u,model:p,time:d,request:m})=>o`
          <li>
            <span class=${`chip ${b[c].color}`}>${b[c].word}</span>
            <code>${l}</code>
            <span>${[u,p].filter(f=>f!==null).join(" \xB7 ")}</span>
            <a href=${v("live",{request:m})}>${N(d)}</a>
          </li>
        `)}</ol>
    `}
    <h2>The rule and its examples</h2>
    <p class="quiet"><code>${s}</code></p>
    <pre class="text" tabindex="0" role="region" aria-label=${`The file of ${e}`}>${r}</pre>
  `}var Ct=1e4;function Se(){let e=Lt(),t=E("status",Ct);return t.error?.status===401?o`<${Dt} onKnown=${t.reload} />`:o`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${G.map(({name:n,title:s})=>o`<a href=${v(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${At} status=${t.value} isLost=${t.error!==void 0} />
      <${jt} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${Mt} key=${e.view} route=${e} />
    </main>
  `}var Te="Reloaded",Rt=5e3;function At({status:e,isLost:t}){let[n,s]=$("");w(()=>{let i=n===Te?setTimeout(()=>s(""),Rt):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{s("Reloading\u2026"),s(await L("reload").then(Nt,M))},r=t?"no connection":e===void 0?"":`v${e.version}, up ${I(e.uptimeSeconds)}`;return o`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":re(e)}>${n===""?r:n}</span>
    <button onClick=${a}
      title="Reload dragoman.yaml, the rules, the clients, and the plugins">Reload settings</button>
  `}function Nt({isReloaded:e,errors:t,diagnostics:n}){return e?Te:`Not reloaded: ${O(t,"error")}. ${n[0]?.message??""}`}function Mt({route:e}){let[t,n]=$(),[s,a]=$(""),r=G.find(({name:i})=>i===e.view);return w(()=>{r!==void 0&&(document.title=`${r.title} \xB7 Dragoman`,r.load().then(i=>n(()=>i),i=>a(M(i))))},[r]),r===void 0?o`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?o`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?o`<p class="empty">Loading…</p>`:o`
    <${t} parameters=${e.parameters} />
  `}function Lt(){let[e,t]=$(xe);return w(()=>{let n=()=>t(xe());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function xe(){let e=te(location.hash);return e.view===""?{...e,view:G[0]?.name??""}:e}function jt({onEnded:e}){let{value:t}=E("session");return t?.session!==!0?null:o`<button onClick=${()=>void ee("session").then(e,e)}>Sign out</button>`}function Dt({onKnown:e}){let[t,n]=$(""),s=k(null);return w(()=>s.current?.focus(),[]),o`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This page requires a key, because it shows users’ requests.</p>
      <form onSubmit=${async r=>{r.preventDefault();try{await L("session",s.current?.value.trim()),e()}catch(i){n(M(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${s} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button class="main">Sign in</button>
        <p id="key-help" class="quiet">
          Ask whoever runs the proxy. On the proxy’s own machine, your agent’s key works, too.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var G=[{name:"live",title:"Live",load:()=>Promise.resolve(be)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-7b72ff7b.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ke)},{name:"playground",title:"Playground",load:async()=>await(await import("./lazy_view-e299acda.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(we)},{name:"canary",title:"Canary",load:()=>Promise.resolve(It)}],qt={live:"live: converted",dry_run:"dry run: not converted",excluded:"canary: not converted"};function It(){let{value:e,error:t}=E("figures",5e3);if(t!==void 0&&e===void 0)return o`<p class="empty bad">${t.message}</p>`;if(e===void 0)return o`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return o`
    <h1>Canary</h1>
    ${n===null?o`<p class="notice">One of the groups has no answers yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the groups.</p>`:o`<p class="notice"><strong>${n.sentence}</strong> The live group has ${Y(n.share)} of the
          answers.</p>`}
    <${se} kind="mode" rows=${s.map(a=>({...a,name:qt[a.name]??a.name}))} />
  `}var Oe=document.getElementById("app");Oe!==null&&X(o`<${Se} />`,Oe);
