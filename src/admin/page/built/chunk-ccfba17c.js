import{c as a,d as w,e as b,f as u,h as k,j as f,k as n,l as t,p,r as h}from"./chunk-580edf07.js";function L(e,r){let[d,o]=w({value:void 0,error:void 0}),l=u(!1),c=u(e);c.current=e;let i=k(async()=>{try{let s=await h(e);l.current=!1,c.current===e&&o({value:s,error:void 0})}catch(s){let m=s instanceof p?s:new p(String(s),0);l.current=m.status===401,c.current===e&&o(({value:x})=>({value:x,error:m}))}},[e]);return b(()=>{if(i(),r===void 0)return;let s=setInterval(()=>document.hidden||l.current||void i(),r);return()=>clearInterval(s)},[i,r]),{...d,reload:()=>void i()}}var E={requests:{title:"Requests",of:({requests:e})=>t(e)},errors:{title:"Errors",of:({errors:e})=>t(e)},errorRate:{title:"Error rate",of:({errorRate:e})=>n(e)},answers:{title:"Answers with tools",of:({answers:e})=>t(e)},printed:{title:"Printed calls as text",of:({printedAsTextRate:e})=>n(e)},reached:{title:"Reached the agent as text",of:({reachedAsText:e})=>t(e)},nearMisses:{title:"Near misses",of:({nearMisses:e})=>t(e)},candidates:{title:"Candidates",of:({candidates:e})=>t(e)},attempts:{title:"Attempts",of:({attempts:e})=>t(e)},converted:{title:"Transformed",of:({transformationRate:e})=>n(e)},success:{title:"Success",of:({successRate:e})=>n(e)},accepted:{title:"Accepted",of:({acceptanceRate:e})=>n(e)},repairs:{title:"Repairs",of:({repairs:e})=>t(e)},tokens:{title:"Tokens",of:({tokens:e})=>t(e)},first:{title:"First token",of:({firstMsMean:e})=>f(e)},total:{title:"Total",of:({durationMsMean:e})=>f(e)}};function R(e){return e.map(r=>E[r])}var $={model:"Model",rule:"Rule",mode:"Mode",wire:"API",key:"Client key",upstream:"Upstream"},v=["reached","candidates","attempts","success","accepted","repairs"],g=e=>R(e==="rule"?v:["requests","errors","printed",...v,"nearMisses","tokens","first","total"]);function C({kind:e,rows:r}){if(r.length===0)return a`<p class="empty">Nothing yet.</p>`;let d=g(e);return a`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${e}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${$[e]}</th>
            ${d.map(({title:o})=>a`<th scope="col" class="number">${o}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${r.map(o=>a`
              <tr key=${o.name}>
                <th scope="row">${o.name}</th>
                ${d.map(({of:l})=>a`<td class="number">${l(o)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var I={made:{word:"call",title:"Calls",color:"good"},would:{word:"not converted",title:"Not converted",color:"plain"},left:{word:"left as text",title:"Left as text",color:"warn"},near:{word:"near miss",title:"Near misses",color:"warn"},refused:{word:"refused",title:"Refused",color:"warn"},broken:{word:"broke off",title:"Broke off",color:"bad"},lost:{word:"lost",title:"Lost",color:"bad"},dropped:{word:"dropped",title:"Dropped",color:"plain"},repaired:{word:"repair",title:"Repairs",color:"accent"},remark:{word:"remark",title:"Remarks",color:"plain"}},D=["made","would","lost","broken","refused","near","left","dropped","repaired","remark"];export{L as a,I as b,D as c,C as d};
